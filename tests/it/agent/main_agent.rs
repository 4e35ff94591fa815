//! `agent`: who runs the main conversation.

use toolwright::agent::options::AgentDefinition;
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
