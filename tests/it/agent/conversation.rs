//! `AgentClient`: several turns in one process.

use toolwright::agent::message::SystemMessage;
use toolwright::agent::{AgentClient, Message};
use toolwright::testing::{Gate, Reply};

use super::scene::{Scene, conversation, say, turn, within};

#[tokio::test]
async fn a_process_has_several_turns() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("Hello.").say("Fine.").say("Bye.");
    let mut client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    let mut sessions = Vec::new();
    for (prompt, answer) in [("Hi", "Hello."), ("How are you?", "Fine."), ("Bye", "Bye.")] {
        let heard = say(&mut client, prompt).await;
        assert_eq!(heard.result().text(), answer);
        assert!(matches!(heard.messages().last(), Some(Message::Result(_))), "{:?}", heard.kinds());
        assert_eq!(
            heard.system().filter(|message| matches!(message, SystemMessage::Init(_))).count(),
            1,
            "{:?}",
            heard.kinds()
        );
        sessions.push(heard.result().session_id.clone());
    }
    assert!(sessions.iter().all(|session| *session == sessions[0]), "{sessions:?}");
    let last = conversation(&scene.request());
    assert!(last.contains("Hi") && last.contains("Hello.") && last.contains("Fine."), "{last}");
    let exit = within(client.close()).await;
    assert!(exit.status.unwrap().success(), "{exit}");
}

#[tokio::test]
async fn prompts_wait_for_their_turns() {
    let Some(scene) = Scene::open().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("One.").held_by(&gate)).say("Two.");
    let mut client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    client.query("First").await.unwrap();
    within(gate.reached()).await;
    client.query("Second").await.unwrap();
    gate.open();
    for answer in ["One.", "Two."] {
        let heard = turn(&mut client).await;
        assert_eq!(heard.result().text(), answer, "{:#?}", heard.messages());
    }
    within(client.close()).await;
}

#[tokio::test]
async fn all_messages_of_a_conversation_are_one_stream_to_its_end() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.say("One.").say("Two.");
    let mut client = AgentClient::connect(scene.options().build().unwrap()).await.unwrap();
    let mut answers = Vec::new();
    for prompt in ["First", "Second"] {
        client.query(prompt).await.unwrap();
        loop {
            if let Message::Result(result) =
                within(client.messages().next()).await.unwrap().unwrap()
            {
                answers.push(result.text().into_owned());
                break;
            }
        }
    }
    assert_eq!(answers, ["One.", "Two."]);
    within(client.close()).await;
}
