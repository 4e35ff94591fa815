use std::borrow::Cow;
use std::sync::LazyLock;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::value::Value;

use crate::request::{RETRY, large, user};
use crate::{Kind, Mix};

/// What an answer means for its call.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is the last one.
    Done,
    /// The tool has asked; the state goes back with the answer.
    Asks(Option<String>),
}

#[derive(Deserialize)]
struct Line<'a> {
    jsonrpc: &'a str,
    id: u64,
    #[serde(borrow)]
    result: Option<ToolResult<'a>>,
    error: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolResult<'a> {
    #[serde(borrow)]
    content: Option<Vec<Block<'a>>>,
    #[serde(default)]
    is_error: bool,
    input_requests: Option<Value>,
    request_state: Option<String>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

static LARGE: LazyLock<String> = LazyLock::new(large);

/// Checks the answer to a call of `mix`: envelope, kind of result, text. Gives the id of the call,
/// which a retry shares with what it retries, and what the answer means.
pub fn check(mix: Mix, line: &[u8]) -> Result<(u64, Verdict)> {
    checked(mix, line).with_context(|| excerpt(line))
}

fn checked(mix: Mix, line: &[u8]) -> Result<(u64, Verdict)> {
    let line: Line = serde_json::from_slice(line).context("not an answer")?;
    ensure!(line.jsonrpc == "2.0", "jsonrpc is not 2.0");
    let (id, is_retry) = (line.id % RETRY, line.id >= RETRY);
    let kind = mix.kind(id);
    ensure!(!is_retry || kind == Kind::Asked, "the answer to a retry that nobody sent");
    if kind == Kind::Cancelled {
        ensure!(line.error.is_some() && line.result.is_none(), "a cancelled call has a result");
        return Ok((id, Verdict::Done));
    }
    ensure!(line.error.is_none(), "an error");
    let result = line.result.context("neither a result nor an error")?;
    if kind == Kind::Asked && !is_retry {
        let asked = result.input_requests.context("no question")?;
        let method = &asked["user_name"]["method"];
        ensure!(method == "elicitation/create", "another question: {asked}");
        return Ok((id, Verdict::Asks(result.request_state)));
    }
    let content = result.content.context("no content")?;
    let [block] = &content[..] else { bail!("not one content block") };
    ensure!(block.kind == "text", "the content is not text");
    let is_error = matches!(kind, Kind::Failed | Kind::Panicked | Kind::TimedOut);
    ensure!(result.is_error == is_error, "isError is {}", result.is_error);
    ensure!(is_right(kind, id, &block.text), "another text than expected");
    Ok((id, Verdict::Done))
}

fn is_right(kind: Kind, id: u64, text: &str) -> bool {
    match kind {
        Kind::Good => text == format!("{id}.5"),
        Kind::Plain => text == "ok",
        Kind::Failed => text == format!("failure {id}"),
        Kind::Panicked => text.ends_with("an internal error stopped it."),
        Kind::TimedOut => text.ends_with("it did not finish within 50ms."),
        Kind::Large => text == *LARGE,
        Kind::Asked => text == format!("Hello, {}!", user(id)),
        Kind::Cancelled => false,
    }
}

fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(300)]).into_owned();
    if line.len() > 300 { format!("{text}… ({} bytes)", line.len()) } else { text }
}
