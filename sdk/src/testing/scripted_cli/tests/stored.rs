//! A store is told of what the CLI would have written.

use std::sync::Arc;

use serde_json::{Value, json};

use super::add;
use crate::agent::sessions::{InMemoryStore, SessionStore, StoredSessions};
use crate::agent::{AgentOptions, query_with};
use crate::testing::ScriptedCli;
use crate::{ToolRegistry, tools};

#[tokio::test]
async fn a_session_goes_on_from_its_store() {
    let store: Arc<dyn SessionStore> = Arc::new(InMemoryStore::default());
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = || {
        AgentOptions::builder()
            .allow_registry(&registry)
            .mcp_server(&registry)
            .cwd("/")
            .session_store(store.clone())
    };
    let cli = ScriptedCli::new().turn(|t| {
        t.say("Adding.").call("mcp__calc__add", json!({"a": 2, "b": 40})).say("It is 42.")
    });
    let run = query_with(cli, "What is 2 + 40?", options().build().unwrap()).await.unwrap();
    let id = run.finish().await.unwrap().session_id;

    let cli = ScriptedCli::new().turn(|t| t.say("84."));
    let again = options().resume(&id).build().unwrap();
    let run = query_with(cli, "And twice that?", again).await.unwrap();
    assert_eq!(run.finish().await.unwrap().session_id, id);

    let stored = StoredSessions::of(store, "/");
    let listed = stored.list_sessions(..).await.unwrap();
    assert_eq!(listed.iter().map(|info| &info.session_id).collect::<Vec<_>>(), [&id]);
    let messages = stored.session_messages(&id, ..).await.unwrap();
    let texts = messages.iter().map(|message| {
        let message: Value = message.message.to_string().parse().unwrap();
        let content = &message["content"];
        let block = &content[0];
        [content, &block["text"], &block["name"], &block["content"][0]["text"]]
            .iter()
            .find_map(|text| text.as_str())
            .unwrap_or_default()
            .to_owned()
    });
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            "What is 2 + 40?",
            "Adding.",
            "mcp__calc__add",
            "42",
            "It is 42.",
            "And twice that?",
            "84."
        ]
    );
}
