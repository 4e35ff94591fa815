use std::collections::BTreeMap;

use serde_json::json;
use toolwright::agent::Message;
use toolwright::agent::message::SystemMessage;
use toolwright::testing::Reply;

use super::scene::Scene;
use super::session;

const SESSIONS: usize = 3;
const TURNS: usize = 2;

/// What is noted of a result.
const END: &str = "the end";

/// Who listens has all messages of each turn, up to its result, under the id of the session.
#[tokio::test]
async fn who_listens_hears_every_turn() {
    let Some(mut scene) = Scene::start().await else { return };
    let add = Reply::new().call("mcp__tools__add", json!({"a": 2, "b": 40}));
    scene.model.when("Prompt", add).when_result("42", Reply::new().text("Answered."));
    let mut heard = scene.queue.hear("fleet.messages.>").await;
    for _ in 0..2 {
        scene.add_worker();
    }
    let prompts: Vec<_> = (1..=TURNS).map(|turn| format!("Prompt {turn}.")).collect();
    for number in 0..SESSIONS {
        scene.submit(&session(number), &prompts);
    }

    let (mut said, mut ended) = (BTreeMap::<_, Vec<_>>::new(), 0);
    while ended < SESSIONS * TURNS {
        let (subject, message) = scene.next_message(&mut heard).await;
        let of = subject.strip_prefix("fleet.messages.").unwrap().to_owned();
        let said = said.entry(of.clone()).or_default();
        match message {
            // A turn may be run again, and then only the last time counts.
            Message::System(SystemMessage::Init(_)) => {
                let ended = said.iter().rposition(|it| it == END).map_or(0, |last| last + 1);
                said.truncate(ended);
            }
            Message::Assistant(message) => {
                said.extend(message.tool_uses().map(|call| call.name.clone()));
                said.extend([message.text().into_owned()].into_iter().filter(|it| !it.is_empty()));
            }
            Message::User(message) => {
                said.extend(message.tool_results().map(|it| it.content.text().into_owned()));
            }
            Message::Result(result) if result.is_success() => {
                assert_eq!((&*result.text(), &*result.session_id), ("Answered.", &*of));
                said.push(END.to_owned());
                ended += 1;
            }
            Message::Unknown(message) => panic!("{message:?}"),
            _ => {}
        }
    }
    let turn = ["mcp__tools__add", "42", "Answered.", END];
    let of_session: Vec<_> = turn.repeat(TURNS).into_iter().map(str::to_owned).collect();
    let expected = (0..SESSIONS).map(|number| (session(number), of_session.clone()));
    assert_eq!(said, expected.collect());
    scene.until_done(SESSIONS * TURNS).await;
    scene.close().await;
}
