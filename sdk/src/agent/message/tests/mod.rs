mod blocks;
mod damage;
mod golden;
mod peek;
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

/// The typed parts of a message, without its raw text.
fn typed(message: &Message) -> String {
    format!("{message:?}").replace(&format!("{:?}", message.raw()), "")
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
