//! Half a character, which a string of JavaScript may hold and one of Rust cannot.

use std::io;

use async_trait::async_trait;
use serde_json::json;

use super::super::{last_result, play, registry};
use super::Tape;
use crate::agent::transport::{Connection, Incoming, Launch, Transport};
use crate::agent::{AgentOptions, ConnectError, Permission, query_with};
use crate::testing::{Recording, ScriptedCli};

/// A CLI that says half a character in place of `HALF`.
struct Cuts(ScriptedCli);

struct Output(Box<dyn Incoming>);

#[async_trait]
impl Transport for Cuts {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let mut connection = Box::new(self.0).connect(launch).await?;
        connection.incoming = Box::new(Output(connection.incoming));
        Ok(connection)
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let mut said = Vec::new();
        self.0.read(&mut said).await?;
        let said = String::from_utf8(said).unwrap().replace("HALF", r"\ud83d");
        buffer.extend_from_slice(said.as_bytes());
        Ok(said.len())
    }
}

#[tokio::test]
async fn half_a_character_cuts_nothing_off() {
    let tape = Tape::new();
    let options = || {
        let options = AgentOptions::builder().mcp_server(registry());
        options.can_use_tool(|_| async move { Permission::allow() })
    };
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call("mcp__calc__write", json!({"text": "a HALF"})).say_result());
    let seen = cli.seen();
    let run = query_with(Recording::new(Cuts(cli), &tape.0), "Go.", options().build().unwrap());
    let result = last_result(run.await.unwrap()).await;
    // The arguments came back with the permission.
    assert_eq!(result.text(), "wrote a \u{fffd}");
    assert_eq!(seen.expect_call("mcp__calc__write").text, "wrote a \u{fffd}");
    assert!(!tape.lines().iter().any(|line| line.contains("cli_text")), "{:?}", tape.lines());
    let (seen, result) = play(tape.replay(), options()).await;
    assert_eq!((&*result.text(), seen.difference()), ("wrote a \u{fffd}", None));
    seen.expect_call("mcp__calc__write");
}
