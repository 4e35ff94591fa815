//! A stand-in for the `claude` program that does what a script says, however wrong that is.
//!
//! The script is a JSON array in the variable `FAKE_CLI_SCRIPT`. A step is a string, or an object
//! with one member. After the last step the program waits for the end of its input and ends with
//! status 0. The first line of standard error is the id of its process group.
//!
//! | step | what it does |
//! |---|---|
//! | `{"initialize": answer}` | waits for `initialize`, lets in-process servers initialise as the real program does, and answers |
//! | `"user"` | waits for a user message |
//! | `{"control": subtype}` | waits for a control request |
//! | `{"reply": response}`, `{"refuse": error}` | answers that request |
//! | `{"ask": [id, request]}` | sends a control request |
//! | `{"answers": [id, …]}` | waits for the answers to requests of its own, in any order |
//! | `{"hears": type}` | waits for a message of that type |
//! | `"end"` | waits for the end of the input |
//! | `{"say": message}` | writes a message |
//! | `{"text": text}`, `{"bytes": [n, …]}` | writes something that need not be a message, nor a line |
//! | `{"repeat": [n, line]}` | writes a line n times, with `{n}` in it replaced |
//! | `{"fill": [before, n, after]}` | writes a line with n bytes between two texts |
//! | `"report"` | says what it has heard since the last report |
//! | `"surroundings"` | says which arguments and environment it has |
//! | `"record"` | writes both, what it has heard, and files that arguments name into the file `FAKE_CLI_RECORD` |
//! | `{"stderr": text}` | writes to standard error |
//! | `{"grandchild": is_daemon}` | starts a process that holds the output, a daemon in a group of its own, and says its id |
//! | `"ignore_sigterm"`, `"close_output"` | goes on as a process that ignores SIGTERM, or whose output is closed |
//! | `"sleep"` | does nothing more, for ever |
//! | `{"exit": status}` | ends |
#![allow(clippy::print_stderr, reason = "nobody else hears what goes wrong here")]

mod process;
mod speech;

use std::process::exit;

use toolwright::{Value, json};

use rustix::process::getpgrp;

use process::{Again, grandchild, record, sleep, surroundings, turn_into};
use speech::Speech;

fn main() {
    let script = std::env::var("FAKE_CLI_SCRIPT").unwrap_or_else(|_| "[]".into());
    let steps = match script.parse() {
        Ok(Value::Array(steps)) => steps,
        _ => broken("the script is no JSON array"),
    };
    if std::env::var_os("FAKE_CLI_AGAIN").is_none() {
        eprintln!("{}", getpgrp());
    }
    let mut speech = Speech::default();
    for (at, step) in steps.iter().enumerate() {
        let rest = || steps.get(at + 1..).unwrap_or_default();
        match step {
            Value::String(word) => word_step(word, rest, &mut speech),
            Value::Object(members) => match members.iter().next() {
                Some((word, argument)) => step_with(word, argument, &mut speech),
                None => broken("a step is empty"),
            },
            _ => broken(&format!("this is no step: {step}")),
        }
    }
    speech.wait_for_end();
}

fn word_step<'a>(word: &str, rest: impl FnOnce() -> &'a [Value], speech: &mut Speech) {
    match word {
        "user" => drop(speech.wait_for("a user message", |line| line["type"] == "user")),
        "end" => speech.wait_for_end(),
        "report" => speech.report(),
        "surroundings" => speech.say(&surroundings()),
        "record" => record(speech.heard()),
        "ignore_sigterm" => turn_into(Again::IgnoringSigterm, rest()),
        "close_output" => turn_into(Again::Mute, rest()),
        "sleep" => sleep(),
        _ => broken(&format!("there is no step {word}")),
    }
}

fn step_with(word: &str, argument: &Value, speech: &mut Speech) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let number =
        |value: &Value| usize::try_from(value.as_u64().unwrap_or_default()).unwrap_or_default();
    match word {
        "initialize" => speech.initialize(argument),
        "control" => speech.wait_for_request(&text(argument)),
        "reply" => speech.reply(json!({"subtype": "success", "response": argument})),
        "refuse" => speech.reply(json!({"subtype": "error", "error": argument})),
        "ask" => speech.ask(&argument[0], &argument[1]),
        "answers" => {
            argument.as_array().into_iter().flatten().for_each(|id| speech.wait_for_answer(id))
        }
        "hears" => drop(speech.wait_for(&argument.to_string(), |line| line["type"] == *argument)),
        "say" => speech.say(argument),
        "text" => speech.write(text(argument).as_bytes()),
        "bytes" => {
            let bytes = argument.as_array().into_iter().flatten();
            speech.write(
                &bytes
                    .map(|byte| u8::try_from(number(byte)).unwrap_or_default())
                    .collect::<Vec<_>>(),
            );
        }
        "repeat" => {
            let line = text(&argument[1]);
            let lines: String = (0..number(&argument[0]))
                .map(|n| line.replace("{n}", &n.to_string()) + "\n")
                .collect();
            speech.write(lines.as_bytes());
        }
        "fill" => {
            let mut line = text(&argument[0]).into_bytes();
            line.resize(line.len() + number(&argument[1]), b'x');
            line.extend_from_slice(text(&argument[2]).as_bytes());
            line.push(b'\n');
            speech.write(&line);
        }
        "stderr" => eprint!("{}", text(argument)),
        "grandchild" => {
            let id = grandchild(argument == true);
            speech.say(&json!({"type": "grandchild", "id": id}));
        }
        "exit" => exit(i32::try_from(number(argument)).unwrap_or_default()),
        _ => broken(&format!("there is no step {word}")),
    }
}

/// Ends in a way that no test takes for what it asked for.
fn broken(why: &str) -> ! {
    eprintln!("fake-cli: {why}");
    exit(70)
}
