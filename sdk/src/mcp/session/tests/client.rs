//! A client of 2026-07-28 that answers what results ask.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use serde_json::{Map, Value, json};
use toolwright::{ToolRegistry, ToolRegistryBuilder};

use super::askers;
use super::harness::World;
use super::toys::Toys;

pub(super) struct Client {
    world: World,
    pub(super) capabilities: Value,
    id: u32,
    /// What the tools count.
    pub(super) prints: Arc<AtomicUsize>,
}

impl Client {
    /// Of a server that asks.
    pub(super) fn new() -> Self {
        Self::of(|registry| registry.tools(askers::tools()).prompts(askers::prompts()))
    }

    /// Of a server with these tools.
    pub(super) fn of(tools: impl FnOnce(ToolRegistryBuilder) -> ToolRegistryBuilder) -> Self {
        let prints = Arc::new(AtomicUsize::new(0));
        let registry = ToolRegistry::builder("toy").version("1").state(prints.clone());
        let registry = tools(registry).build().unwrap();
        let world = World::serving(registry, Arc::new(Toys::default()));
        let capabilities = json!({"elicitation": {}, "sampling": {}, "roots": {}});
        Self { world, capabilities, id: 0, prints }
    }

    /// Calls `target` with more members of the parameters; returns the result or the error.
    pub(super) fn request(&mut self, method: &str, target: Value, more: Value) -> Value {
        let mut params: Map<String, Value> = serde_json::from_value(target).unwrap();
        params.extend(serde_json::from_value::<Map<String, Value>>(more).unwrap());
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        params.insert("_meta".to_owned(), meta);
        self.id += 1;
        let line = json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params});
        let mut said = self.world.line(line.to_string().as_bytes());
        if said.is_empty() {
            // It waits for something else than the client.
            said = self.world.step(&format!("finish {}", self.id));
        }
        let [said] = &*said else { panic!("{} answers", said.len()) };
        let mut said: Value = serde_json::from_str(said).unwrap();
        match said.get("error") {
            Some(error) => error.clone(),
            None => said["result"].take(),
        }
    }

    pub(super) fn call(&mut self, name: &str, more: Value) -> Value {
        let arguments = if name == "ship" { json!({"order": 7}) } else { json!({}) };
        self.request("tools/call", json!({"name": name, "arguments": arguments}), more)
    }

    /// Calls a tool and answers what it asks, until it has ended. Returns the parameters of the
    /// questions of each round, in the order of their keys, and the text of the result.
    pub(super) fn talk(
        &mut self,
        tool: &str,
        mut answer: impl FnMut(&Value) -> Value,
    ) -> (Vec<Vec<Value>>, String) {
        let (mut rounds, mut result) = (Vec::new(), self.call(tool, json!({})));
        while result["resultType"] == "input_required" {
            let (mut questions, mut answers) = (Vec::new(), Map::new());
            for (key, asked) in result["inputRequests"].as_object().unwrap() {
                answers.insert(key.clone(), answer(&asked["params"]));
                questions.push(asked["params"].clone());
            }
            rounds.push(questions);
            let state = &result["requestState"];
            result = self.call(tool, json!({"inputResponses": answers, "requestState": state}));
        }
        (rounds, text(&result).to_owned())
    }
}

/// The text of the final result of a call.
pub(super) fn text(result: &Value) -> &str {
    assert_eq!(result["resultType"], "complete", "{result}");
    result["content"][0]["text"].as_str().unwrap()
}
