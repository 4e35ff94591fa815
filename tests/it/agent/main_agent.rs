//! `agent`: who runs the main conversation.

use std::fs;

use toolwright::agent::message::SystemMessage;
use toolwright::agent::options::{AgentDefinition, McpServer, SettingSource, SystemPrompt};
use toolwright::agent::{AgentClient, AgentOptionsBuilder, ConnectError};
use toolwright::testing::{Gate, Reply};

use super::scene::{Scene, say, turn, within};

fn greeter() -> AgentDefinition {
    AgentDefinition::new("Greets.", "You greet.").initial_prompt("Greet me.")
}

async fn connect(options: AgentOptionsBuilder) -> Result<AgentClient, ConnectError> {
    within(AgentClient::connect(options.build().unwrap())).await
}

#[tokio::test]
async fn the_first_prompt_of_an_agent_takes_no_answer_away() {
    for reads_by_turn in [false, true] {
        let Some(scene) = Scene::open().await else { return };
        let gate = Gate::new();
        scene.model.reply(Reply::new().text("Welcome.").held_by(&gate)).say("42.").say("Bye.");
        let options = scene.options().agents([("greeter", greeter())]).agent("greeter");
        let mut client = connect(options).await.unwrap();
        within(gate.reached()).await;
        if reads_by_turn {
            let sum = client.ask("What is 2 + 40?").await.unwrap();
            gate.open();
            assert_eq!(within(sum.finish()).await.unwrap().text(), "42.");
            let bye = client.ask("Bye.").await.unwrap();
            assert_eq!(within(bye.finish()).await.unwrap().text(), "Bye.");
        } else {
            client.query("What is 2 + 40?").await.unwrap();
            gate.open();
            let heard = turn(&mut client).await;
            let texts: Vec<_> = heard.results().iter().map(|result| result.text()).collect();
            assert_eq!(texts, ["Welcome.", "42."]);
            assert_eq!(say(&mut client, "Bye.").await.result().text(), "Bye.");
        }
        within(client.close()).await;
    }
}

#[tokio::test]
async fn agents_are_known_wherever_they_are_defined() {
    let Some(scene) = Scene::open().await else { return };
    let file = |folder: &str, name: &str, text: &str| {
        let folder = scene.project().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    };
    let agent = |name: &str| format!("---\nname: {name}\ndescription: Reads.\n---\nYou read.");
    file(".claude/agents", "reader.md", &agent("reader"));
    file("tidy/.claude-plugin", "plugin.json", r#"{"name":"tidy","version":"1.0.0"}"#);
    file("tidy/agents", "sweeper.md", &agent("sweeper"));
    let options = || {
        scene
            .options()
            .setting_sources([SettingSource::Project])
            .plugins([scene.project().join("tidy")])
            .agents([("greeter", AgentDefinition::new("Greets.", "You greet."))])
            .disallowed_tools(["Agent(greeter)", "Agent(reader)"])
            .no_tools()
    };
    for name in ["greeter", "reader", "sweeper", "tidy:sweeper", "Explore", "claude"] {
        let client = connect(options().agent(name)).await;
        within(client.unwrap_or_else(|error| panic!("{name}: {error}")).close()).await;
    }
    // The default agent, which this list does not have.
    let client =
        connect(scene.options().env("CLAUDE_CODE_DISABLE_AGENT_VIEW", "1").agent("claude"));
    within(client.await.unwrap().close()).await;
    // Without these settings there is no file, and a definition that cannot be read is none; that
    // of a plugin is another.
    let wrong = || greeter().field("maxTurns", "many");
    let others = [
        scene.options().agent("reader"),
        scene.options().agents([("greeter", greeter())]).agent("greter"),
        scene.options().agents([("greeter", wrong())]).agent("greeter"),
        scene
            .options()
            .plugins([scene.project().join("tidy")])
            .agents([("sweeper", wrong())])
            .agent("sweeper"),
    ];
    for options in others {
        let error = connect(options).await.expect_err("it starts");
        assert!(matches!(error, ConnectError::UnknownAgent { .. }), "{error}");
    }
}

#[tokio::test]
async fn servers_that_are_left_out_are_named() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("Hello.");
    let servers = [
        McpServer::stdio("workspace", "x"),
        McpServer::stdio("files", "x").field("args", "none"),
        McpServer::stdio("notes", "x"),
    ];
    let options = servers.into_iter().fold(scene.options(), AgentOptionsBuilder::mcp_server);
    let mut client = connect(options).await.unwrap();
    let heard = say(&mut client, "Hi").await;
    let Some(SystemMessage::Init(init)) = heard.system().next() else { panic!("{heard:?}") };
    let errors = init.mcp_server_errors.iter();
    let errors: Vec<_> = errors.map(|error| (&*error.name, &*error.r#type)).collect();
    assert_eq!(errors, [("workspace", "reserved_name"), ("files", "invalid_config")]);
    assert_eq!(init.mcp_servers.len(), 1, "{:?}", init.mcp_servers);
    within(client.close()).await;
}

#[tokio::test]
async fn a_text_comes_instead_of_the_prompt_of_the_agent() {
    let Some(scene) = Scene::open().await else { return };
    let reviewer = || AgentDefinition::new("Reviews.", "You review.");
    let agent = || scene.options().agents([("reviewer", reviewer())]).agent("reviewer");
    for (options, prompt) in [
        (agent(), "You review."),
        (agent().system_prompt(SystemPrompt::claude_code()), "You review."),
        (agent().system_prompt("You sing."), "You sing."),
    ] {
        scene.model.say("Hello.");
        let mut client = connect(options).await.unwrap();
        say(&mut client, "Hi").await;
        within(client.close()).await;
        let told = scene.request().body()["system"].to_string();
        for known in ["You review.", "You sing."] {
            assert_eq!(told.contains(known), known == prompt, "{told}");
        }
    }
}
