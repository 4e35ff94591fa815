//! The row of the program in the table of all clients, from one conversation of three turns.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::json;
use toolwright::testing::Reply;

use super::scene::Scene;
use super::{Era, in_both_eras};
use crate::clients::Row;

in_both_eras!(the_program_passes_every_check);

const WORDS: [&str; 4] = ["north", "east", "south", "west"];

async fn the_program_passes_every_check(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut claude = scene.chat();
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
    let tools = claude.turn("Call them all.").await.tools().join(" ");

    scene.call("until_cancelled", json!({}));
    claude.ask("Call it, and do not wait.").await;
    // Three of them were the other tool's.
    scene.wire.sends("notifications/progress", 4).await;
    claude.control(&json!({"subtype": "interrupt"})).await;
    claude.end_of_turn().await;

    scene.call("after_cancel", json!({})).call("fresh", json!({})).say("Done.");
    claude.turn("Has it ended?").await;
    // It fails unless the program ends in order.
    scene.end(claude).await;

    let results = scene.results();
    assert!(results.len() > 12, "{results:#?}");
    let texts = |range: Range<usize>| {
        let texts = results[range].iter().map(|result| result.text.as_str());
        texts.collect::<BTreeSet<_>>()
    };
    let is = |at: usize, text: &str, is_error: bool| {
        results[at].text.contains(text) && results[at].is_error == is_error
    };
    let version = if era == Era::Modern { "2026-07-28" } else { "2025-11-25" };
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
    let found = is_right.map(|(check, is_right)| (check.to_owned(), outcome(is_right))).into();
    let era = if era == Era::Modern { "auto" } else { "fallback" };
    Row { client: "Claude Code", era, transport: "stdio", without: &[] }.judge(&found);
}
