//! What a client reads of a stream.

use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use serde_json::Value;
use toolwright::http::Body;

pub(super) struct Event {
    /// The number of the stream, and the position in it.
    pub(super) id: Option<(u64, u64)>,
    /// `None` for one without a message.
    pub(super) message: Option<Value>,
}

/// Everything that has come by now, and whether that is all.
pub(super) fn read(body: &mut Body) -> (Vec<Event>, bool) {
    let mut text = String::new();
    let has_ended = loop {
        match body.frame().now_or_never() {
            None => break false,
            Some(None) => break true,
            Some(Some(frame)) => {
                let bytes = frame.unwrap().into_data().unwrap();
                text += std::str::from_utf8(&bytes).unwrap();
            }
        }
    };
    let events = text.split_terminator("\n\n").filter(|event| !event.starts_with(':'));
    (events.map(event).collect(), has_ended)
}

fn event(text: &str) -> Event {
    let member = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let id = member("id: ").map(|id| {
        let (stream, position) = id.split_once('-').unwrap();
        (stream.parse().unwrap(), position.parse().unwrap())
    });
    let message = member("data: ").map(|data| serde_json::from_str(data).unwrap());
    Event { id, message }
}

/// A message in a few words: `? ` begins a question, `= ` an answer, `! ` an error.
pub(super) fn words(message: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("nothing").to_owned();
    let answer = |message: &Value| text(&message["result"]["content"][0]["text"]);
    let failed = |message: &Value| message["result"]["isError"] == true;
    if let Value::Array(answers) = message {
        let sign = if answers.iter().any(failed) { '!' } else { '=' };
        let mut answers: Vec<_> = answers.iter().map(answer).collect();
        answers.sort();
        return format!("{sign} {}", answers.join(", "));
    }
    match message["method"].as_str() {
        Some("notifications/progress") => text(&message["params"]["message"]),
        Some("elicitation/create") => format!("? {}", text(&message["params"]["message"])),
        Some(method) => method.to_owned(),
        None if message["error"].is_object() => format!("! {}", message["error"]["code"]),
        None if failed(message) => format!("! {}", answer(message)),
        None => format!("= {}", answer(message)),
    }
}
