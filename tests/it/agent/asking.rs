//! Tools of ours that ask the user.

use std::future::pending;

use serde_json::json;
use tokio::sync::mpsc;
use toolwright::agent::AgentClient;
use toolwright::agent::options::McpServer;
use toolwright_tests::fixture::{self, Flags};

use super::scene::{Scene, say, turn, within};

/// Two programs, in either era, and this one.
const SERVERS: [&str; 3] = ["modern", "legacy", "fixture"];

#[tokio::test]
async fn the_user_is_asked_the_same_wherever_a_tool_runs() {
    let Some(scene) = Scene::open().await else { return };
    let (events, mut heard) = mpsc::unbounded_channel();
    let program = env!("CARGO_BIN_EXE_fixture");
    let options = scene
        .options()
        .mcp_server(McpServer::stdio("modern", program))
        .mcp_server(McpServer::stdio("legacy", program).args(["--legacy"]))
        .mcp_server(fixture::registry(&Flags::default()).unwrap())
        .allowed_tools(SERVERS.map(|server| format!("mcp__{server}__*")))
        .add_dir(scene.temporary())
        .on_elicitation(move |question| {
            let guard = Guard(events.clone());
            async move {
                match question.message.as_str() {
                    "accept" => question.accept(json!({"username": "ann", "email": "a@b.example"})),
                    "decline" => question.decline(),
                    "cancel" => question.cancel(),
                    _ => {
                        guard.0.send("began").unwrap();
                        let _guard = guard;
                        pending().await
                    }
                }
            }
        })
        .build()
        .unwrap();
    let mut client = AgentClient::connect(options).await.unwrap();
    let tool = |server: &str, name: &str| format!("mcp__{server}__{name}");
    for message in ["accept", "decline", "cancel"] {
        for server in SERVERS {
            scene.model.call(tool(server, "test_elicitation"), json!({"message": message}));
        }
    }
    for server in SERVERS {
        scene.model.call(tool(server, "test_input_required_result_list_roots"), json!({}));
    }
    scene.model.say("Done.");
    say(&mut client, "Ask.").await;
    let results: Vec<_> = scene.results().into_iter().map(|result| result.text).collect();
    let expected = [
        r#"User response: action=accept, content={"username":"ann","email":"a@b.example"}"#,
        "User response: action=decline, content={}",
        "User response: action=cancel, content={}",
    ];
    let (asked, roots) = results.split_at(9);
    assert_eq!(asked, expected.map(|text| [text; 3]).concat());
    assert!(roots.iter().all(|text| text.contains("file:///") && *text == roots[0]), "{roots:?}");

    while heard.try_recv().is_ok() {}
    scene.model.call(tool("fixture", "test_elicitation"), json!({"message": "for ever"}));
    client.query("Ask for ever.").await.unwrap();
    assert_eq!(within(heard.recv()).await, Some("began"));
    within(client.interrupt()).await.unwrap();
    assert_eq!(within(heard.recv()).await, Some("dropped"));
    assert_eq!(turn(&mut client).await.result().subtype, "error_during_execution");
    within(client.close()).await;
}

/// Tells when it is dropped.
struct Guard(mpsc::UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}
