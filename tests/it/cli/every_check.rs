//! The rows of the program in the table of all clients, from a conversation of three turns each.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::json;
use toolwright::testing::Reply;

use super::claude::Claude;
use super::scene::Scene;
use super::{Era, in_both_eras};
use crate::clients::{Row, Server, TYPED};

in_both_eras!(the_program_passes_every_check, the_program_passes_every_check_over_http);

const WORDS: [&str; 4] = ["north", "east", "south", "west"];

async fn the_program_passes_every_check(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut claude = scene.chat();
    let tools = call_them_all(&scene, &mut claude).await;
    scene.call("until_cancelled", json!({}));
    claude.ask("Call it, and do not wait.").await;
    // Three of them were the other tool's.
    scene.wire.sends("notifications/progress", 4).await;
    interrupt(&mut claude).await;
    scene.call("after_cancel", json!({})).call("fresh", json!({})).say("Done.");
    claude.turn("Has it ended?").await;
    // It fails unless the program ends in order.
    scene.end(claude).await;
    judge(&scene, &row(era, "stdio"), &tools);
}

async fn the_program_passes_every_check_over_http(era: Era) {
    passes_every_check_over_http(era, "http").await;
}

/// Only older revisions have sessions.
#[tokio::test]
async fn the_program_passes_every_check_over_http_in_a_session() {
    passes_every_check_over_http(Era::Legacy, "sessions").await;
}

async fn passes_every_check_over_http(era: Era, transport: &'static str) {
    let Some(scene) = Scene::open(era).await else { return };
    let row = row(era, transport);
    let mut server = Server::http(row.flags()).await;
    let mut claude = scene.chat_with(&config(&server));
    let tools = call_them_all(&scene, &mut claude).await;
    if row.can("cancel") {
        scene.call("wait_loudly", json!({}));
        claude.ask("Call it, and do not wait.").await;
        server.says("wait_loudly is running").await;
        interrupt(&mut claude).await;
        scene.call("after_cancel", json!({})).call("fresh", json!({})).say("Done.");
        claude.turn("Has it ended?").await;
    }
    claude.finish().await;
    server.ended(0).await.unwrap();
    judge(&scene, &row, &tools);
}

in_both_eras!(a_server_may_restart_between_two_turns);

async fn a_server_may_restart_between_two_turns(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let flags = row(era, "http").flags();
    let mut server = Server::http(flags).await;
    let mut claude = scene.chat_with(&config(&server));
    scene.call("add", json!({"a": 2, "b": 40})).say("It is 42.");
    claude.turn("What is 2 + 40?").await;
    server.ended(0).await.unwrap();
    let address = server.url().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let _server = Server::http_at(&address, flags).await;
    scene.call("add", json!({"a": 20, "b": 50})).say("It is 70.");
    claude.turn("And 20 + 50?").await;
    claude.finish().await;
    let results = scene.results();
    let texts: Vec<_> = results.iter().map(|result| result.text.as_str()).collect();
    assert_eq!(texts, ["42", "70"], "{results:#?}");
}

pub(super) fn config(server: &Server) -> String {
    json!({"mcpServers": {"fixture": {"type": "http", "url": server.url()}}}).to_string()
}

pub(super) fn row(era: Era, transport: &'static str) -> Row {
    let era = if era == Era::Modern { "auto" } else { "fallback" };
    Row { client: "Claude Code", era, transport, without: &TYPED }
}

/// The first turn. Gives the names of the tools that the program has found.
async fn call_them_all(scene: &Scene, claude: &mut Claude) -> String {
    scene
        .call("add", json!({"a": 2, "b": 3}))
        .call("whoami", json!({}))
        .call("fail", json!({"message": "out of paper"}))
        .call("no_such_tool", json!({}))
        .call("test_tool_with_progress", json!({}));
    let four = WORDS.iter().fold(Reply::new(), |reply, word| {
        reply.call("mcp__fixture__four_together", json!({"text": word}))
    });
    scene.model.reply(four);
    scene.call("grow", json!({})).call("add", json!({"a": 20, "b": 30})).say("Done.");
    claude.turn("Call them all.").await.tools().join(" ")
}

async fn interrupt(claude: &mut Claude) {
    claude.control(&json!({"subtype": "interrupt"})).await;
    claude.end_of_turn().await;
}

fn judge(scene: &Scene, row: &Row, tools: &str) {
    let results = scene.results();
    assert!(results.len() > 10, "{results:#?}");
    let texts = |range: Range<usize>| {
        let texts = results[range].iter().map(|result| result.text.as_str());
        texts.collect::<BTreeSet<_>>()
    };
    let is = |at: usize, text: &str, is_error: bool| {
        results[at].text.contains(text) && results[at].is_error == is_error
    };
    let version = if row.era == "auto" { "2026-07-28" } else { "2025-11-25" };
    let version = format!(r#""protocol_version":"{version}""#);
    let last = results.len() - 1;
    let is_right = [
        ("list", tools.contains("mcp__fixture__add") && tools.contains("mcp__fixture__grow")),
        ("call", is(0, "5", false)),
        ("structured", is(1, &version, false)),
        ("isError", is(2, "out of paper", true)),
        ("unknown tool", is(3, "No such tool available", true)),
        ("progress", is(4, "done", false)),
        ("cancel", is(last - 1, "it was cancelled", false)),
        ("4 in parallel", texts(5..9) == BTreeSet::from(WORDS)),
        ("list_changed", is(last, "fresh", false)),
        ("close", true),
    ];
    let seen = format!("{tools}\n{results:#?}");
    let outcome = |is_right: bool| is_right.then_some(()).ok_or_else(|| seen.clone());
    let found = is_right.into_iter().filter(|(check, _)| row.can(check));
    let found = found.map(|(check, is_right)| (check.to_owned(), outcome(is_right))).collect();
    row.judge(&found);
}
