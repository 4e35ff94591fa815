use serde_json::{Value, json};

use super::*;

/// The ids on the way to the last message.
fn conversation(entries: &[Value]) -> Vec<String> {
    shown(entries, false)
}

fn shown(entries: &[Value], with_system: bool) -> Vec<String> {
    let mut chain = Chain::default();
    for (at, entry) in entries.iter().enumerate() {
        chain.push(&entry.to_string(), at);
    }
    let ids = chain.conversation(with_system).into_iter();
    ids.map(|at| entries[at]["uuid"].as_str().unwrap().to_owned()).collect()
}

fn entry(kind: &str, id: &str, parent: &str) -> Value {
    let parent = (!parent.is_empty()).then_some(parent);
    json!({"type": kind, "uuid": id, "parentUuid": parent, "message": {"content": id}})
}

fn with(mut entry: Value, name: &str, value: Value) -> Value {
    entry[name] = value;
    entry
}

/// A part of an answer that calls a tool.
fn call(id: &str, parent: &str, answer: &str, call: &str) -> Value {
    let content = json!([{"type": "tool_use", "id": call}]);
    with(entry("assistant", id, parent), "message", json!({"id": answer, "content": content}))
}

fn result(id: &str, parent: &str, call: &str) -> Value {
    let content = json!([{"type": "tool_result", "tool_use_id": call}]);
    with(entry("user", id, parent), "message", json!({"content": content}))
}

#[test]
fn the_way_to_the_last_message_is_the_conversation() {
    let entries = [
        entry("user", "a", ""),
        entry("assistant", "b", "a"),
        entry("progress", "p", "b"),
        entry("user", "c", "p"),
        // Left behind by a rewind.
        entry("user", "x", "b"),
        entry("assistant", "d", "c"),
        entry("system", "s", "d"),
        json!({"type": "custom-title", "customTitle": "t", "uuid": "t"}),
    ];
    assert_eq!(conversation(&entries), ["a", "b", "c", "d"]);
}

#[test]
fn messages_of_the_cli_on_the_way_may_be_shown() {
    let entries = [
        entry("system", "first", ""),
        entry("user", "a", "first"),
        entry("system", "notice", "a"),
        entry("attachment", "x", "notice"),
        with(entry("system", "meta", "x"), "isMeta", true.into()),
        entry("assistant", "b", "meta"),
        entry("system", "aside", "a"),
        entry("system", "behind", "b"),
    ];
    assert_eq!(shown(&entries, true), ["first", "a", "notice", "b"]);
    assert_eq!(shown(&entries, false), ["a", "b"]);
    // It begins with a compaction; nothing but messages of the CLI is no conversation.
    assert!(shown(&entries[..1], true).is_empty());
}

#[test]
fn what_is_not_said_to_the_user_is_left_out() {
    let entries = [
        entry("user", "a", ""),
        with(entry("user", "m", "a"), "isMeta", true.into()),
        entry("assistant", "b", "m"),
        with(entry("user", "s", ""), "isSidechain", true.into()),
        with(entry("assistant", "t", "b"), "teamName", "red".into()),
    ];
    assert_eq!(conversation(&entries), ["a", "b"]);
    assert!(conversation(&entries[3..4]).is_empty());
    assert!(conversation(&[]).is_empty());
}

#[test]
fn a_compaction_begins_with_its_summary() {
    let boundary = with(entry("system", "c", ""), "logicalParentUuid", "b".into());
    let entries = [
        entry("user", "a", ""),
        entry("assistant", "b", "a"),
        boundary,
        with(entry("user", "s", "c"), "isCompactSummary", true.into()),
        entry("assistant", "d", "s"),
    ];
    assert_eq!(conversation(&entries), ["s", "d"]);
}

/// Of which these are kept: those of the older form of the CLI only by their ends.
fn compaction(anchor: &str, kept: &[&str], is_old: bool) -> Value {
    let noted = match is_old {
        false => json!({"preservedMessages": {"anchorUuid": anchor, "uuids": kept}}),
        true => json!({"preservedSegment":
            {"anchorUuid": anchor, "headUuid": kept[0], "tailUuid": kept[kept.len() - 1]}}),
    };
    let boundary = with(entry("system", "boundary", ""), "subtype", "compact_boundary".into());
    with(boundary, "compactMetadata", noted)
}

#[test]
fn what_a_compaction_has_kept_comes_behind_its_summary() {
    for is_old in [false, true] {
        let begin = [
            entry("user", "old", ""),
            entry("assistant", "old-answer", "old"),
            entry("user", "kept", "old-answer"),
            entry("assistant", "kept-answer", "kept"),
            compaction("summary", &["kept", "kept-answer"], is_old),
            entry("user", "summary", "boundary"),
        ];
        assert_eq!(conversation(&begin), ["summary", "kept", "kept-answer"]);
        // The next message is written behind the summary, or behind what was kept.
        let behind_summary = [entry("attachment", "file", "summary"), entry("user", "new", "file")];
        let behind_kept = [entry("user", "new", "kept-answer")];
        for next in [&behind_summary[..], &behind_kept] {
            let last = entry("assistant", "new-answer", "new");
            let all = [&begin, next, &[last]].concat();
            let expected = ["summary", "kept", "kept-answer", "new", "new-answer"];
            assert_eq!(conversation(&all), expected, "{all:?}");
            assert_eq!(shown(&all, true)[0], "boundary");
        }
    }
    // Some are missing, so that nothing is moved.
    let entries = [
        entry("user", "old", ""),
        compaction("summary", &["old", "lost"], false),
        entry("user", "summary", "boundary"),
    ];
    assert_eq!(conversation(&entries), ["summary"]);
    let nothing = with(entries[1].clone(), "compactMetadata", json!({"preservedMessages": {}}));
    assert_eq!(conversation(&[nothing, entries[2].clone()]), ["summary"]);
}

#[test]
fn entries_in_a_circle_end() {
    let entries = [entry("user", "a", "b"), entry("user", "b", "a"), entry("user", "c", "b")];
    assert_eq!(conversation(&entries), ["a", "b", "c"]);
    assert!(conversation(&entries[..2]).is_empty());
    let own = [entry("system", "s", "s"), entry("user", "u", "s")];
    assert_eq!(conversation(&own), ["u"]);
}

#[test]
fn of_several_entries_with_one_id_the_last_counts() {
    let first = entry("user", "a", "");
    let mut second = first.clone();
    second["message"]["content"] = "changed".into();
    let (mut chain, lines) = (Chain::default(), [first, entry("assistant", "b", "a"), second]);
    for (at, line) in lines.iter().enumerate() {
        chain.push(&line.to_string(), at);
    }
    assert_eq!(chain.conversation(false), [2, 1]);
}

#[test]
fn tools_that_ran_at_the_same_time_are_put_back() {
    let entries = [
        entry("user", "u", ""),
        call("a1", "u", "m", "c1"),
        call("a2", "a1", "m", "c2"),
        call("a3", "a2", "m", "c3"),
        with(result("r2", "a2", "c2"), "timestamp", "2026-01-01T00:00:02Z".into()),
        with(result("r3", "a3", "c3"), "timestamp", "2026-01-01T00:00:01Z".into()),
        result("r1", "a1", "c1"),
        entry("assistant", "z", "r1"),
    ];
    assert_eq!(conversation(&entries), ["u", "a1", "a2", "a3", "r3", "r2", "r1", "z"]);
}

#[test]
fn a_result_elsewhere_is_put_back_if_its_call_is_open() {
    let entries = [
        entry("user", "u", ""),
        call("a1", "u", "m", "c1"),
        call("a2", "a1", "m", "c2"),
        result("r1", "a1", "c1"),
        entry("user", "side", ""),
        result("r2", "side", "c2"),
        // Its call has a result.
        result("again", "side", "c1"),
        entry("assistant", "z", "r1"),
    ];
    assert_eq!(conversation(&entries), ["u", "a1", "a2", "r2", "r1", "z"]);
    // Of another agent.
    let mut entries = entries.to_vec();
    entries[5]["agentId"] = "other".into();
    assert_eq!(conversation(&entries), ["u", "a1", "a2", "r1", "z"]);
}

/// With a walk of its own for each end, or each result, it would take minutes.
#[test]
fn a_transcript_that_is_made_to_take_long_does_not() {
    const MANY: usize = 40_000;
    let mut chain = Chain::default();
    let mut at = 0;
    let mut push = |line: String| {
        chain.push(&line, at);
        at += 1;
    };
    push(r#"{"type":"user","uuid":"p0"}"#.into());
    for number in 1..MANY {
        let before = number - 1;
        push(format!(r#"{{"type":"progress","uuid":"p{number}","parentUuid":"p{before}"}}"#));
    }
    for number in 0..MANY {
        let last = MANY - 1;
        push(format!(r#"{{"type":"system","uuid":"e{number}","parentUuid":"p{last}"}}"#));
    }
    assert_eq!(chain.links.len(), 2 * MANY);
    assert_eq!(chain.conversation(false), [0]);

    let mut chain = Chain::default();
    for number in 0..MANY {
        let line = format!(r#"{{"type":"assistant","uuid":"a{number}","message":{{"id":"m"}}}}"#);
        chain.push(&line, number);
    }
    for number in 0..MANY {
        let line = format!(
            r#"{{"type":"user","uuid":"r{number}","parentUuid":"a{}","message":{{"content":[{{"type":"tool_result"}}]}}}}"#,
            MANY - 1
        );
        chain.push(&line, MANY + number);
    }
    assert_eq!(chain.conversation(false).len(), 2 * MANY);

    let mut chain = Chain::default();
    chain.push(&entry("user", "kept", "").to_string(), 0);
    for number in 0..MANY {
        let mut boundary = compaction("kept", &["kept"], false);
        boundary["uuid"] = format!("b{number}").into();
        boundary["parentUuid"] = "kept".into();
        chain.push(&boundary.to_string(), number);
    }
    assert_eq!(chain.conversation(false), [0]);
}
