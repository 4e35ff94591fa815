//! Questions of the fixture to a callback: passed on by the program, in both eras, and in process.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolwright::agent::AgentClient;
use toolwright::agent::options::McpServer;
use toolwright::testing::Reply;
use toolwright_tests::fixture::{Flags, registry};

use super::scene::{Scene, say, within};
use crate::clients::Server;

/// The tools, in order, with their arguments.
fn calls() -> [(&'static str, Value); 8] {
    [
        ("test_input_required_result_elicitation", json!({})),
        ("ask_twice", json!({})),
        ("test_input_required_result_multi_round", json!({})),
        ("test_input_required_result_list_roots", json!({})),
        ("come_back", json!({})),
        ("test_elicitation", json!({"message": "decline"})),
        ("test_elicitation", json!({"message": "cancel"})),
        ("ask_often", json!({})),
    ]
}

#[tokio::test]
async fn the_questions_of_tools_are_answered_in_rounds_and_by_requests() {
    let Some(scene) = Scene::open().await else { return };
    let mut http = Server::http(&[]).await;
    let mut session = Server::http(&["--legacy", "--sessions"]).await;
    let fixture = |name, flags: &[&str]| {
        McpServer::stdio(name, env!("CARGO_BIN_EXE_fixture")).args(flags.iter().copied())
    };
    let options = scene
        .options()
        .mcp_server(fixture("modern", &[]))
        .mcp_server(fixture("legacy", &["--legacy"]))
        .mcp_server(McpServer::http("http", http.url()))
        .mcp_server(McpServer::http("session", session.url()))
        .mcp_server(registry(&Flags::default()).unwrap())
        .allowed_tools(
            ["modern", "legacy", "http", "session", "fixture"]
                .map(|name| format!("mcp__{name}__*")),
        )
        .add_dir(scene.temporary())
        .on_elicitation(async |question| match question.message.as_str() {
            "decline" => question.decline(),
            "cancel" => question.cancel(),
            "Once more?" => question.accept(json!({})),
            asked if asked.contains("color") => question.accept(json!({"color": "blue"})),
            _ => question.accept(json!({"name": "Ada"})),
        });
    let mut client = AgentClient::connect(options.build().unwrap()).await.unwrap();
    let root = |folder: PathBuf| format!("file://{}", folder.canonicalize().unwrap().display());
    let roots = [scene.project(), scene.temporary()].map(root).join(", ");
    for server in ["modern", "http", "legacy", "session", "fixture"] {
        let reply = calls().into_iter().fold(Reply::new(), |reply, (tool, arguments)| {
            reply.call(format!("mcp__{server}__{tool}"), arguments)
        });
        scene.model.reply(reply).say("Asked.");
        say(&mut client, "Ask.").await;
        let results = scene.request().tool_results();
        // The program adds advice to an error.
        let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let mut results: Vec<_> = results.iter().map(|result| first_line(&result.text)).collect();
        // Of calls that run at the same time the first result is that of the first to end.
        results.sort();
        let often = match server {
            // Without rounds a call may ask as often as it likes.
            "legacy" | "session" | "fixture" => "asked 12 times",
            _ => "The tool `ask_often` was stopped: it has asked the client too often.",
        };
        let mut expected = [
            "Hello, Ada!",
            "Ada likes blue",
            "Ada likes blue",
            &roots,
            "back",
            "User response: action=decline, content={}",
            "User response: action=cancel, content={}",
            often,
        ];
        expected.sort();
        assert_eq!(results, expected, "{server}");
    }
    within(client.close()).await;
    http.ended(0).await.unwrap();
    session.ended(0).await.unwrap();
}
