//! `requestState`: states that are changed, cut, extended, of another server, of another request,
//! or sent again. Only what a server has given out for the same request continues a call.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use toolwright::http::{Options, Service, StateKey};
use toolwright::{AskError, Context, Tool, ToolRegistry};
use tower_service::Service as _;

use crate::damage::damage;
use crate::dice::Dice;
use crate::setting;

/// So many states are kept to be used.
const KEPT: usize = 200;
/// A replica remembers a call for so many requests at least.
const REMEMBERED: u64 = 1_000;
/// How long an answer may take.
const TOO_LONG: Duration = Duration::from_secs(60);

/// Servers that share a key are of one group.
const GROUPS: [usize; 5] = [0, 0, 1, 2, 3];

/// States that nobody has given out.
const GARBAGE: &str = include_str!("corpus/states/garbage.txt");

struct Replica {
    service: Service,
    runs: Arc<AtomicUsize>,
}

/// A state that was given out.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Issued {
    group: usize,
    order: u64,
    /// The number of the call that it belongs to.
    call: u64,
    /// What the effect gave, from the second round on.
    label: Option<u64>,
}

/// What a replica remembers of a call.
#[derive(Debug, Clone, Copy)]
struct Memory {
    label: Option<u64>,
    /// The second question is answered.
    has_ended: bool,
    /// How many requests the replica had by then.
    since: u64,
}

struct World {
    dice: Dice,
    replicas: Vec<Replica>,
    /// How many requests each replica had.
    requests: [u64; GROUPS.len()],
    /// The number of the next label.
    labels: Arc<AtomicU64>,
    calls: u64,
    kept: Vec<String>,
    /// All of the kept ones, and those before them.
    issued: HashMap<String, Issued>,
    /// By call and replica.
    memories: HashMap<(u64, usize), Memory>,
    refused: u64,
    continued: u64,
}

/// Two questions, and an effect between them.
async fn ship(order: u64, labels: &AtomicU64, cx: &Context) -> Result<String, AskError> {
    let sure = cx.confirm(format!("Ship {order}?")).await?;
    let print = async { Ok::<_, AskError>(labels.fetch_add(1, Ordering::SeqCst)) };
    let label = cx.once("label", print).await?;
    let now = cx.confirm(format!("Ship {order} with label {label} now?")).await?;
    Ok(format!("{order}: {sure} {label} {now}"))
}

fn replica(key: Option<[u8; 32]>, labels: &Arc<AtomicU64>) -> Replica {
    let (runs, schema) = (Arc::new(AtomicUsize::new(0)), json!({"type": "object"}));
    let (counted, labels) = (runs.clone(), labels.clone());
    let ship = Tool::new("ship", "", schema, move |arguments: Value, cx: Context| {
        counted.fetch_add(1, Ordering::SeqCst);
        let labels = labels.clone();
        async move { ship(arguments["order"].as_u64().unwrap_or_default(), &labels, &cx).await }
    });
    let registry = ToolRegistry::builder("toy").tools([ship]).build().unwrap();
    let mut options = Options::default();
    options.state_key = key.map(StateKey::new);
    Replica { service: Service::with(registry, options), runs }
}

impl Replica {
    /// The result or the error.
    async fn call(&self, order: u64, more: &Value) -> Value {
        let mut params = json!({"name": "ship", "arguments": {"order": order}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
        }});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = Request::post("/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "ship")
            .body(body.to_string())
            .unwrap();
        let answer = async {
            let response = self.service.clone().call(request).await.unwrap();
            response.into_body().collect().await.unwrap().to_bytes()
        };
        let answer = tokio::time::timeout(TOO_LONG, answer).await.expect("an answer");
        let mut answer: Value = serde_json::from_slice(&answer).unwrap();
        match answer.get("error") {
            Some(error) => error.clone(),
            None => answer["result"].take(),
        }
    }
}

impl World {
    fn new(seed: u64) -> Self {
        let keys = [Some([1; 32]), Some([1; 32]), Some([2; 32]), None, None];
        let labels = Arc::default();
        let replicas = keys.into_iter().map(|key| replica(key, &labels)).collect();
        let (kept, issued, memories) = (Vec::new(), HashMap::new(), HashMap::new());
        let (dice, requests, calls) = (Dice::new(seed), [0; GROUPS.len()], 0);
        let (refused, continued) = (0, 0);
        Self { dice, replicas, requests, labels, calls, kept, issued, memories, refused, continued }
    }

    fn keep(&mut self, asked: &Value, issued: Issued) -> Result<(), String> {
        let state = asked["requestState"].as_str().ok_or_else(|| format!("no state: {asked}"))?;
        let is_text = state.bytes().all(|byte| byte.is_ascii_graphic());
        let before = self.issued.insert(state.to_owned(), issued);
        if !is_text || before.is_some_and(|before| before != issued) {
            return Err(format!("a state that is given out twice, or is no text: {state}"));
        }
        if self.kept.len() == KEPT {
            let at = self.dice.roll(KEPT);
            self.kept.swap_remove(at);
        }
        self.kept.push(state.to_owned());
        Ok(())
    }

    /// A state as a client sends it back: as it is, or damaged.
    fn sent(&mut self) -> String {
        let dice = &mut self.dice;
        let state = self.kept[dice.roll(self.kept.len())].clone();
        let other = &self.kept[dice.roll(self.kept.len())];
        let at = dice.roll(state.len() + 1);
        match dice.roll(12) {
            0 => state[..at].to_owned(),
            1 => state[at..].to_owned(),
            2 => format!("{state}{}", &other[at.min(other.len())..]),
            3 => format!("{}{}", &state[..at.min(other.len())], &other[at.min(other.len())..]),
            4 => format!("{state}{}", dice.pick(&["A", "=", ".1", "\n", "\0", "é", " "])),
            5 if dice.one_in(20) => format!("{state}{}", "A".repeat(1 << dice.roll(21))),
            5 => state.to_uppercase(),
            6 | 7 => {
                let mut bytes = state.into_bytes();
                let at = at.min(bytes.len() - 1);
                bytes[at] = dice.pick(b"0123456789abcdefABCZ-_.+/");
                String::from_utf8(bytes).unwrap()
            }
            8 => {
                let mut bytes = state.into_bytes();
                damage(dice, &mut bytes);
                String::from_utf8_lossy(&bytes).into_owned()
            }
            _ => state,
        }
    }

    async fn begin(&mut self) -> Result<(), String> {
        let (to, order) = (self.dice.roll(GROUPS.len()), self.dice.roll(4) as u64);
        let asked = self.replicas[to].call(order, &json!({})).await;
        self.requests[to] += 1;
        self.calls += 1;
        let (call, label, since) = (self.calls, None, self.requests[to]);
        self.memories.insert((call, to), Memory { label, has_ended: false, since });
        self.keep(&asked, Issued { group: GROUPS[to], order, call, label })
    }

    /// What a replica knows of a call once it has read a state, and whether it must know it. It
    /// leaves what it remembers for a state that has another label: then two replicas have played
    /// one round.
    fn read(&mut self, to: usize, state: Issued) -> (Memory, bool) {
        let since = self.requests[to];
        let new = Memory { label: state.label, has_ended: false, since };
        let memory = self.memories.entry((state.call, to)).or_insert(new);
        if state.label.is_some() && state.label != memory.label {
            *memory = new;
        }
        (*memory, since - memory.since < REMEMBERED)
    }

    async fn step(&mut self) -> Result<(), String> {
        if self.kept.is_empty() || self.dice.one_in(6) {
            return self.begin().await;
        }
        let state = self.sent();
        let known = self.issued.get(&state).copied();
        // Mostly where it belongs.
        let (mut to, mut order) = (self.dice.roll(GROUPS.len()), self.dice.roll(4) as u64);
        if let Some(known) = known.filter(|_| !self.dice.one_in(4)) {
            order = known.order;
            to = (0..GROUPS.len()).rev().find(|to| GROUPS[*to] == known.group).unwrap();
            to -= usize::from(known.group == 0 && self.dice.one_in(2));
        }
        let yes = json!({"action": "accept"});
        let has_both = known.is_some_and(|known| known.label.is_some()) || self.dice.one_in(3);
        let answers = match has_both {
            true => json!({"elicitation-1": yes, "elicitation-2": yes}),
            false => json!({"elicitation-1": yes}),
        };
        self.requests[to] += 1;
        // A replica reads a state of its group before it looks at the request.
        let of_group = known.filter(|known| known.group == GROUPS[to]);
        let memory = of_group.map(|known| self.read(to, known));
        let next = self.labels.load(Ordering::SeqCst);
        let replica = &self.replicas[to];
        let before = replica.runs.load(Ordering::SeqCst);
        let more = json!({"requestState": state, "inputResponses": answers});
        let said = replica.call(order, &more).await;
        let has_run = replica.runs.load(Ordering::SeqCst) > before;
        let is_refused = said["code"] == -32602 && !has_run;
        let wrong = |what: &str| Err(format!("{what}: {said:.300}\n  state {state:.200}"));
        let known = of_group.zip(memory).filter(|(known, _)| known.order == order);
        let Some((known, (memory, is_sure))) = known else {
            self.refused += 1;
            return if is_refused { Ok(()) } else { wrong("it is not refused") };
        };
        // What is in memory is forgotten at some time.
        if is_refused && known.group > 1 && !is_sure {
            return Ok(());
        }
        self.continued += 1;
        let Some((label, has_ended)) = outcome(&said, order) else {
            return wrong("it neither ends nor asks");
        };
        let happened = self.labels.load(Ordering::SeqCst) - next;
        let expected = match (memory.label, happened) {
            (Some(label), 0) => label,
            (None, 1) => next,
            // A replica that has forgotten a call begins it again with its first state.
            (Some(_), 1) if !is_sure && known.label.is_none() => next,
            _ => return wrong(&format!("the effect happened {happened} times, {memory:?}")),
        };
        if label != expected {
            return wrong(&format!("label {expected} was expected, {memory:?}"));
        }
        // A round that is played once more has what later ones have settled. An answer counts only
        // if its question was asked.
        let may_end = happened == 0 && (memory.has_ended || has_both);
        if has_ended != may_end && (has_ended || is_sure) {
            let what = if has_ended { "it ends too early" } else { "it asks again" };
            return wrong(what);
        }
        let since = if has_ended { memory.since } else { self.requests[to] };
        self.memories.insert((known.call, to), Memory { label: Some(label), has_ended, since });
        match has_ended {
            true => Ok(()),
            false => self.keep(&said, Issued { label: Some(label), ..known }),
        }
    }

    /// Forgets what was given out long ago. States in memory have numbers, so that damage makes one
    /// of another.
    fn forget(&mut self) {
        let kept: HashSet<&String> = self.kept.iter().collect();
        self.issued.retain(|state, issued| issued.group > 1 || kept.contains(state));
        let calls: HashSet<u64> = self.issued.values().map(|issued| issued.call).collect();
        self.memories.retain(|(call, _), _| calls.contains(call));
    }
}

/// The label, and whether the call has ended; else it asks the second question.
fn outcome(said: &Value, order: u64) -> Option<(u64, bool)> {
    let asked = &said["inputRequests"]["elicitation-2"]["params"]["message"];
    let (text, begin, end) = match said["content"][0]["text"].as_str() {
        Some(text) => (text, format!("{order}: true "), " true"),
        None => (asked.as_str()?, format!("Ship {order} with label "), " now?"),
    };
    let label = text.strip_prefix(&begin)?.strip_suffix(end)?.parse().ok()?;
    Some((label, asked.is_null()))
}

async fn fuzz(seed: u64, count: u64) -> (u64, u64) {
    let mut world = World::new(seed);
    for number in 0..count {
        if let Err(fault) = world.step().await {
            panic!("{fault}\n  step {number} of seed {seed}");
        }
        if number % 10_000 == 9_999 {
            world.forget();
        }
    }
    (world.continued, world.refused)
}

#[tokio::test]
async fn the_kept_states_are_refused() {
    let world = World::new(1);
    for state in GARBAGE.lines() {
        for Replica { service, runs } in &world.replicas {
            let replica = Replica { service: service.clone(), runs: runs.clone() };
            let said = replica.call(3, &json!({"requestState": state})).await;
            assert_eq!(said["code"], -32602, "{state}");
            assert_eq!(runs.load(Ordering::SeqCst), 0, "{state}");
        }
    }
}

#[tokio::test]
async fn random_states_continue_what_they_belong_to() {
    let (continued, refused) = fuzz(setting("FUZZ_SEED", 1), 3_000).await;
    assert!(continued > 300 && refused > 300, "{continued} continued, {refused} refused");
}

/// `FUZZ_STATES` requests, from `FUZZ_SEED` on.
#[tokio::test]
#[ignore = "it takes as long as one likes"]
async fn many_random_states_continue_what_they_belong_to() {
    let (begin, count) = (Instant::now(), setting("FUZZ_STATES", 1_000_000));
    let (continued, refused) = fuzz(setting("FUZZ_SEED", 1_000), count).await;
    let spent = begin.elapsed();
    eprintln!("{count} requests, {continued} continued, {refused} refused, in {spent:?}");
}
