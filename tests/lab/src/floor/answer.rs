use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::tools::{Add, Echo, Search, SleepMs, list};
use super::wire::{Failure, Params, Request, Response, ToolResult, write};
use crate::call::LEGACY_VERSION;

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
        write(&Response::new(&self.id, ToolResult::text("ok", false)), &mut out);
        out
    }
}

/// Adds the answer to a line, unless it is a notification or is answered later.
pub fn answer(line: &[u8], out: &mut Vec<u8>) -> Option<Sleep> {
    // Checked as a whole, UTF-8 need not be checked again in each part.
    let text = str::from_utf8(line).ok();
    let Some(request) = text.and_then(|line| serde_json::from_str::<Request>(line).ok()) else {
        write(&Failure::new(None, -32700, "not a request"), out);
        return None;
    };
    let id = request.id?;
    match &*request.method {
        "tools/call" => return call(id, &request.params, out),
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

fn call(id: &RawValue, params: &Params, out: &mut Vec<u8>) -> Option<Sleep> {
    let arguments = params.arguments.map_or("{}", RawValue::get);
    let result = match &*params.name {
        "add" => decode(arguments).map(|Add { a, b }| (a + b).to_string()),
        "echo" => decode(arguments).map(|Echo { text }| text),
        "search" => decode(arguments)
            .map(|search: Search| search.filters.map_or(0, |filters| filters.len()).to_string()),
        "sleep_ms" => match decode(arguments) {
            Ok(SleepMs { ms }) => {
                return Some(Sleep { id: id.to_owned(), time: Duration::from_millis(ms) });
            }
            Err(error) => Err(error),
        },
        _ => {
            write(&Failure::new(Some(id), -32602, "no such tool"), out);
            return None;
        }
    };
    let (text, is_error) = match result {
        Ok(text) => (text, false),
        Err(error) => (error, true),
    };
    write(&Response::new(id, ToolResult::text(&text, is_error)), out);
    None
}

fn decode<'a, T: Deserialize<'a>>(arguments: &'a str) -> Result<T, String> {
    serde_json::from_str(arguments).map_err(|error| format!("wrong arguments: {error}"))
}
