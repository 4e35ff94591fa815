//! A call from the command line.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use serde_json::Value;
use toolwright_console::{Failure, Progress, Screen, files, sanitized};

use super::client::{Client, Message};

/// What ends a wait.
enum Event {
    Messages(Vec<Message>),
    Drawing,
    Signal(u8),
}

/// Calls a tool and waits for its result, or for a signal by `stop`, which cancels the call.
/// Meanwhile it shows logs, and on a terminal progress.
pub(super) async fn call(
    client: &mut Client,
    tool: &str,
    arguments: &str,
    stop: impl Future<Output = u8>,
    screen: &mut Screen,
) -> Result<String, Failure> {
    client.call(tool, arguments, screen.is_terminal);
    let mut progress = Progress::default();
    let mut stop = pin!(stop);
    loop {
        let event = {
            let (mut messages, mut is_due) = (pin!(client.messages()), pin!(progress.is_due()));
            poll_fn(|cx| {
                if let Poll::Ready(signal) = stop.as_mut().poll(cx) {
                    return Poll::Ready(Event::Signal(signal));
                }
                // There may always be another message, but not always something to draw.
                if is_due.as_mut().poll(cx).is_ready() {
                    return Poll::Ready(Event::Drawing);
                }
                messages.as_mut().poll(cx).map(Event::Messages)
            })
            .await
        };
        let messages = match event {
            Event::Messages(messages) => messages,
            Event::Drawing => {
                progress.draw(screen);
                continue;
            }
            Event::Signal(signal) => {
                progress.clear(screen);
                client.cancel();
                return Err(Failure::interrupted(signal));
            }
        };
        for message in messages {
            match message {
                Message::Progress(params) => progress.set(params),
                Message::Log(params) => {
                    progress.clear(screen);
                    screen.note(&log_line(&params));
                }
                Message::Result(result) => {
                    progress.clear(screen);
                    return Ok(result);
                }
                Message::Refused(error) => {
                    progress.clear(screen);
                    return Err(Failure::failed(error));
                }
            }
        }
    }
}

/// Prints a result: text as it is, everything else in files. With `as_json` the result is printed
/// as JSON, and nothing is saved.
pub(super) fn show(
    result: &str,
    tool: &str,
    as_json: bool,
    screen: &mut Screen,
) -> Result<(), Failure> {
    let value: Value = result.parse().unwrap_or_default();
    let has_failed = value["isError"] == true;
    if as_json {
        screen.print(&format!("{result}\n"))?;
        return if has_failed { Err(Failure::failed("")) } else { Ok(()) };
    }
    let (text, problem) = read(&value, tool, &mut |note| screen.note(note));
    match (has_failed, problem) {
        (true, problem) => Err(Failure::failed(text + &problem.unwrap_or_default())),
        (false, problem) => {
            screen.print(&text)?;
            problem.map_or(Ok(()), |problem| Err(Failure::failed(problem)))
        }
    }
}

/// The text of a result, and why a part of it could not be saved.
fn read(result: &Value, tool: &str, note: &mut dyn FnMut(&str)) -> (String, Option<String>) {
    let (mut text, mut problem) = (String::new(), None);
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let structured = &result["structuredContent"];
    if blocks.is_empty() && !structured.is_null() {
        return (format!("{structured}\n"), None);
    }
    for block in blocks {
        let resource = &block["resource"];
        let place = if resource.is_object() { resource } else { block };
        let member = |name: &str| place[name].as_str();
        if let Some(base64) = member("data").or(member("blob")) {
            match files::save(tool, member("mimeType").unwrap_or_default(), base64) {
                Ok(saved) => note(&saved),
                Err(error) => problem = Some(error),
            }
        } else if let Some(part) = member("text").or(member("uri")) {
            text.push_str(part);
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
    (text, problem)
}

/// `level: message`
fn log_line(params: &Value) -> String {
    let level = params["level"].as_str().unwrap_or("log");
    let text = match &params["data"] {
        Value::String(text) => sanitized(text),
        data => sanitized(&data.to_string()),
    };
    format!("{level}: {text}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_result_without_content_is_its_value() {
        for (structured, expected) in [
            (json!(5), "5\n"),
            (json!("five"), "\"five\"\n"),
            (json!(false), "false\n"),
            (json!([1]), "[1]\n"),
            (Value::Null, ""),
        ] {
            let result = json!({"content": [], "structuredContent": structured});
            assert_eq!(read(&result, "t", &mut |_| {}), (expected.to_owned(), None));
        }
    }

    #[test]
    fn a_log_message_neither_commands_the_terminal_nor_looks_like_two() {
        for (params, expected) in [
            (json!({"level": "info", "data": "a\nb \u{1b}[2J"}), "info: a\n    b \\x1b[2J\n"),
            (json!({"level": "info", "data": {"a": "\n\u{9b}"}}), "info: {\"a\":\"\\n\\u{9b}\"}\n"),
            (json!({"data": 1}), "log: 1\n"),
        ] {
            assert_eq!(log_line(&params), expected, "{params}");
        }
    }
}
