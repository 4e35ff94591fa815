//! Options that other users of the machine must not see.

use serde_json::json;
use toolwright::agent::AgentClient;
use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::McpServer;

use super::scene::{Scene, say, within};

#[tokio::test]
async fn servers_and_settings_reach_the_cli_and_are_no_arguments() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("Hello.");
    let options = scene
        .options()
        .mcp_server(McpServer::http("web", "http://user:5ecret@127.0.0.1:9/mcp"))
        .mcp_server(McpServer::stdio("program", "/bin/false").args(["--token=5ecret"]))
        .settings(json!({"outputStyle": "Explanatory", "apiKeyHelper": "echo 5ecret"}))
        .build()
        .unwrap();
    let mut client = within(AgentClient::connect(options)).await.unwrap();
    if cfg!(target_os = "linux") {
        let pid = client.server_info().member("pid").unwrap();
        let arguments = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap();
        let arguments = String::from_utf8(arguments).unwrap();
        assert!(arguments.contains("--mcp-config=") && !arguments.contains("5ecret"));
    }
    let heard = say(&mut client, "Hi").await;
    let Some(SystemMessage::Init(init)) =
        heard.system().find(|message| matches!(message, SystemMessage::Init(_)))
    else {
        panic!("{:?}", heard.kinds())
    };
    assert_eq!(init.output_style, "Explanatory");
    let mut servers: Vec<_> = init.mcp_servers.iter().map(|server| server.name.as_str()).collect();
    servers.sort_unstable();
    assert_eq!(servers, ["program", "web"]);
    within(client.close()).await;
}
