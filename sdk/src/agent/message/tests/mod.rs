mod blocks;
mod cut;
mod damage;
mod golden;
mod output;
mod peek;
mod prices;
mod summary;
mod unknown;

use super::*;

/// Every message of every form, with every member that is known, one a line.
fn golden() -> impl Iterator<Item = &'static str> {
    include_str!("golden.jsonl").lines()
}

fn parse(raw: &str) -> Message {
    let message = Message::parse(raw);
    assert_eq!(message.raw(), raw);
    message
}

/// The typed parts of a message, without its raw text and that of the structs in it.
fn typed(message: &Message) -> String {
    let mut typed = format!("{message:?}");
    while let Some((before, rest)) = typed.split_once("raw: \"") {
        let end = rest.replace("\\\\", "..").replace("\\\"", "..").find('"').unwrap();
        typed = format!("{before}{}", &rest[end + 1..]);
    }
    typed
}

/// What kind of message it is.
fn form(
    message: &Message,
) -> (std::mem::Discriminant<Message>, Option<std::mem::Discriminant<SystemMessage>>) {
    let inner = match message {
        Message::System(message) => Some(std::mem::discriminant(message)),
        _ => None,
    };
    (std::mem::discriminant(message), inner)
}
