use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::tools::{Add, Echo, Search, SleepMs, list};
use super::wire::{Failure, Params, Request, Response, ToolResult, write};
use crate::call::LEGACY_VERSION;

/// What a call of a tool has given.
pub enum Ran {
    /// A text, and whether it is an error's.
    Text(String, bool),
    /// The text comes after this time.
    Later(Duration),
    NoSuchTool,
}

impl Ran {
    /// What a call of `sleep_ms` gives at last.
    pub fn slept() -> Self {
        Self::Text("ok".to_owned(), false)
    }

    /// Adds the answer, if it is there.
    pub fn write(&self, id: &RawValue, out: &mut Vec<u8>) {
        match self {
            Self::Text(text, is_error) => {
                write(&Response::new(id, ToolResult::text(text, *is_error)), out);
            }
            Self::Later(_) => {}
            Self::NoSuchTool => write(&Failure::new(Some(id), -32602, "no such tool"), out),
        }
    }
}

/// A call of `sleep_ms`, which is answered later.
pub struct Sleep {
    id: Box<RawValue>,
    time: Duration,
}

impl Sleep {
    /// Sleeps and gives the answer.
    pub fn answered(self) -> Vec<u8> {
        thread::sleep(self.time);
        let mut out = Vec::new();
        Ran::slept().write(&self.id, &mut out);
        out
    }
}

/// The request or the notification of a line.
pub fn request(line: &[u8]) -> Option<Request<'_>> {
    // Checked as a whole, UTF-8 need not be checked again in each part.
    let text = str::from_utf8(line).ok()?;
    serde_json::from_str(text).ok()
}

/// Adds the answer to a line, unless it is a notification or is answered later.
pub fn answer(line: &[u8], out: &mut Vec<u8>) -> Option<Sleep> {
    let Some(request) = request(line) else {
        write(&Failure::new(None, -32700, "not a request"), out);
        return None;
    };
    let id = request.id?;
    match &*request.method {
        "tools/call" => {
            let ran = run(&request.params);
            ran.write(id, out);
            if let Ran::Later(time) = ran {
                return Some(Sleep { id: id.to_owned(), time });
            }
        }
        "tools/list" => write(&Response::new(id, list()), out),
        "ping" => write(&Response::new(id, json!({})), out),
        "initialize" => {
            let result = json!({
                "protocolVersion": LEGACY_VERSION,
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "floor", "version": "0.0.0"},
            });
            write(&Response::new(id, result), out);
        }
        _ => write(&Failure::new(Some(id), -32601, "no such method"), out),
    }
    None
}

/// Runs the tool that the parameters name.
pub fn run(params: &Params) -> Ran {
    let arguments = params.arguments.map_or("{}", RawValue::get);
    let result = match &*params.name {
        "add" => decode(arguments).map(|Add { a, b }| (a + b).to_string()),
        "echo" => decode(arguments).map(|Echo { text }| text),
        "search" => decode(arguments)
            .map(|search: Search| search.filters.map_or(0, |filters| filters.len()).to_string()),
        "sleep_ms" => match decode(arguments) {
            Ok(SleepMs { ms }) => return Ran::Later(Duration::from_millis(ms)),
            Err(error) => Err(error),
        },
        _ => return Ran::NoSuchTool,
    };
    match result {
        Ok(text) => Ran::Text(text, false),
        Err(error) => Ran::Text(error, true),
    }
}

fn decode<'a, T: Deserialize<'a>>(arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("wrong arguments: {error}"))
}
