//! Partial messages.

use toolwright::agent::message::{ApiEvent, StreamEvent};
use toolwright::agent::{Message, query};
use toolwright::testing::Reply;

use super::scene::{Scene, all};

#[tokio::test]
async fn text_comes_in_pieces_and_then_whole() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.reply(Reply::new().text_in_pieces(["It ", "is ", "42."]));
    let options = scene.options().include_partial_messages(true).build().unwrap();
    let heard = all(&mut query("What is 2 + 40?", options).await.unwrap()).await;
    let events: Vec<&StreamEvent> = heard
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::StreamEvent(event) => Some(&**event),
            _ => None,
        })
        .collect();
    let pieces: Vec<_> = events.iter().filter_map(|event| event.text_delta()).collect();
    assert_eq!(pieces, ["It ", "is ", "42."]);
    assert!(matches!(events[0].event, ApiEvent::MessageStart(_)), "{events:#?}");
    assert!(matches!(events.last().unwrap().event, ApiEvent::MessageStop), "{events:#?}");
    assert_eq!(heard.text(), "It is 42.");

    let position = |wanted: fn(&Message) -> bool| heard.messages().iter().position(wanted).unwrap();
    let whole = position(|message| matches!(message, Message::Assistant(_)));
    let stop = position(
        |message| matches!(message, Message::StreamEvent(event) if matches!(event.event, ApiEvent::ContentBlockStop(_))),
    );
    assert!(whole < stop, "{:?}", heard.kinds());
    assert_eq!(
        heard.kinds()[..3].iter().filter(|kind| **kind == "stream_event").count(),
        0,
        "{:?}",
        heard.kinds()
    );
}

#[tokio::test]
async fn without_being_asked_for_no_pieces_come() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.reply(Reply::new().text_in_pieces(["It ", "is ", "42."]));
    let heard =
        all(&mut query("What is 2 + 40?", scene.options().build().unwrap()).await.unwrap()).await;
    assert_eq!(heard.text(), "It is 42.");
    assert!(!heard.kinds().contains(&"stream_event"), "{:?}", heard.kinds());
}
