//! Random interleavings of rounds, repeated requests, lost results and cancellations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use toolwright::{AskError, Context, State, ToolRegistry, tool, tools};

use super::harness::World;
use super::toys::Toys;

/// How often each effect has happened, by the order and the key.
type Effects = Arc<Mutex<BTreeMap<(u32, u32), u32>>>;

/// Two effects, each followed by a question; then a pause, and a third one.
#[tool]
async fn buy(order: u32, cx: &Context, effects: State<Effects>) -> Result<String, AskError> {
    let mut said = Vec::new();
    for step in 0..2 {
        cx.once(&format!("effect-{step}"), happen(&effects, order, step)).await?;
        said.push(cx.confirm(format!("Step {step} of {order}?")).await?.to_string());
    }
    cx.next_round().await?;
    cx.once("last", happen(&effects, order, 2)).await?;
    Ok(format!("{order}: {}", said.join(" ")))
}

async fn happen(effects: &Effects, order: u32, step: u32) -> Result<(), AskError> {
    *effects.lock().unwrap().entry((order, step)).or_default() += 1;
    Ok(())
}

/// What the client does next, with one of its orders.
#[derive(Debug, Clone)]
enum Act {
    /// Answers the last result that it has seen.
    Go { order: u32, yes: bool },
    /// Answers the last result but one: the last was lost.
    Repeat { order: u32, yes: bool },
    /// The same, and the result is lost again.
    Lose { order: u32, yes: bool },
    /// Uses the state of another order.
    Mix { order: u32, other: u32 },
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let order = 0..3_u32;
    let act = prop_oneof![
        4 => (order.clone(), any::<bool>()).prop_map(|(order, yes)| Act::Go { order, yes }),
        2 => (order.clone(), any::<bool>()).prop_map(|(order, yes)| Act::Repeat { order, yes }),
        2 => (order.clone(), any::<bool>()).prop_map(|(order, yes)| Act::Lose { order, yes }),
        1 => (order.clone(), order).prop_map(|(order, other)| Act::Mix { order, other }),
    ];
    prop::collection::vec(act, 1..24)
}

struct Client {
    world: World,
    requests: u32,
    /// The results that ask, by order.
    seen: BTreeMap<u32, Vec<Value>>,
    /// The first answers that the server has got to each question, by order.
    settled: BTreeMap<(u32, String), bool>,
    done: BTreeMap<u32, String>,
}

impl Client {
    /// Sends the request of an order, with answers to `asked`, and returns the only answer.
    fn send(&mut self, order: u32, state: Option<&Value>, responses: Value) -> Value {
        self.requests += 1;
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        });
        let mut params = Map::new();
        params.insert("name".into(), "buy".into());
        params.insert("arguments".into(), json!({"order": order}));
        params.insert("_meta".into(), meta);
        if let Some(state) = state {
            params.insert("requestState".into(), state.clone());
            params.insert("inputResponses".into(), responses);
        }
        let line = json!({"jsonrpc": "2.0", "id": self.requests, "method": "tools/call", "params": params});
        let said = self.world.line(line.to_string().as_bytes());
        assert_eq!(said.len(), 1, "one answer a request: {said:?}");
        serde_json::from_str(&said[0]).unwrap()
    }

    /// Answers a result that asks; `None` begins the order.
    fn answer(&mut self, order: u32, asked: Option<Value>, yes: bool) -> Value {
        let Some(asked) = asked else { return self.send(order, None, json!({})) };
        let action = json!({"action": if yes { "accept" } else { "decline" }});
        let keys: Vec<String> =
            asked["inputRequests"].as_object().into_iter().flat_map(Map::keys).cloned().collect();
        let responses: Map<_, _> = keys.iter().map(|key| (key.clone(), action.clone())).collect();
        for key in keys {
            self.settled.entry((order, key)).or_insert(yes);
        }
        self.send(order, Some(&asked["requestState"]), responses.into())
    }

    fn play(&mut self, act: &Act) {
        let (order, yes, back, is_lost) = match *act {
            Act::Go { order, yes } => (order, yes, 1, false),
            Act::Repeat { order, yes } => (order, yes, 2, false),
            Act::Lose { order, yes } => (order, yes, 1, true),
            Act::Mix { order, other } => {
                let state = self.seen.get(&other).and_then(|seen| seen.last()).cloned();
                if let Some(state) = state.filter(|_| order != other) {
                    let found = self.send(order, Some(&state["requestState"]), json!({}));
                    assert_eq!(found["error"]["code"], -32602, "{found}");
                }
                return;
            }
        };
        let seen = self.seen.entry(order).or_default();
        let asked = seen.len().checked_sub(back).and_then(|at| seen.get(at)).cloned();
        // Without a state it would be another call.
        if asked.is_none() && !seen.is_empty() {
            return;
        }
        let mut answer = self.answer(order, asked, yes);
        let result = answer["result"].take();
        match result["resultType"].as_str() {
            // The first result has to be seen, for a call without a state is a new one.
            Some("input_required") if !is_lost || self.seen[&order].is_empty() => {
                self.seen.entry(order).or_default().push(result);
            }
            Some("input_required") => {}
            _ => {
                let text = result["content"][0]["text"].as_str().unwrap().to_owned();
                let expected = ["elicitation-1", "elicitation-2"]
                    .map(|key| self.settled[&(order, key.to_owned())].to_string());
                assert_eq!(text, format!("{order}: {}", expected.join(" ")));
                let first = self.done.entry(order).or_insert(text.clone());
                assert_eq!(*first, text, "a call has one final result");
            }
        }
    }
}

proptest! {
    #[test]
    fn no_effect_happens_twice_and_a_call_has_one_result(acts in acts()) {
        let effects = Effects::default();
        let registry = ToolRegistry::builder("toy").version("1").state(effects.clone());
        let registry = registry.tools(tools![buy]).build().unwrap();
        let world = World::serving(registry, Arc::new(Toys::default()));
        let (seen, settled, done) = Default::default();
        let mut client = Client { world, requests: 0, seen, settled, done };
        acts.iter().for_each(|act| client.play(act));
        let effects = effects.lock().unwrap();
        prop_assert!(effects.values().all(|times| *times == 1), "{effects:?}");
    }
}
