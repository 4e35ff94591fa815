use std::os::unix::fs::symlink;

use super::*;
use crate::agent::Message;
use crate::agent::message::SystemMessage;
use crate::agent::sessions::{SessionError, SessionRole};

fn texts(home: &Home) -> Vec<String> {
    let messages = home.sessions().session_messages(ID, ..).unwrap();
    messages.iter().map(|message| message.message.to_value()["content"].to_string()).collect()
}

#[test]
fn a_message_is_what_a_run_delivers() {
    let home = Home::new();
    let lines = [said("user", "a", None, "Hi"), said("assistant", "b", Some("a"), "Hello")];
    home.write(&format!("-p/{ID}.jsonl"), &lines);
    let messages = home.sessions().session_messages(ID, ..).unwrap();
    assert_eq!(messages[0].role, SessionRole::User);
    assert_eq!(messages[0].uuid, "a");
    assert_eq!(messages[0].session_id, ID);
    let Message::User(user) = messages[0].to_message() else { panic!("{messages:?}") };
    assert_eq!(user.text(), "Hi");
    let Message::Assistant(answer) = messages[1].to_message() else { panic!("{messages:?}") };
    assert_eq!(answer.uuid, "b");
}

#[test]
fn messages_of_the_cli_are_read_if_they_are_wanted() {
    let home = Home::new();
    let mut boundary = said("system", "s", Some("a"), "");
    boundary.as_object_mut().unwrap().remove("message");
    boundary["subtype"] = "compact_boundary".into();
    boundary["compactMetadata"] = json!({"trigger": "auto", "preTokens": 9});
    let lines =
        [said("user", "a", None, "Hi"), boundary.clone(), said("assistant", "b", Some("s"), "Ho")];
    home.write(&format!("-p/{ID}.jsonl"), &lines);
    let sessions = home.sessions();
    assert_eq!(sessions.session_messages(ID, ..).unwrap().len(), 2);
    let messages = sessions.with_system_messages().session_messages(ID, 1..).unwrap();
    assert_eq!((messages.len(), messages[0].role), (2, SessionRole::System));
    assert_eq!((&*messages[0].uuid, messages[0].message.to_value()), ("s", boundary));
    let Message::System(SystemMessage::CompactBoundary(message)) = messages[0].to_message() else {
        panic!("{messages:?}")
    };
    assert_eq!((&*message.uuid, &*message.session_id), ("s", ID));
}

#[test]
fn only_messages_in_the_range_are_given() {
    let home = Home::new();
    let ids: Vec<_> = (0..20).map(|n| n.to_string()).collect();
    let parent = |n: usize| n.checked_sub(1).map(|n| &*ids[n]);
    let lines: Vec<_> = (0..20).map(|n| said("user", &ids[n], parent(n), &ids[n])).collect();
    home.write(&format!("-p/{ID}.jsonl"), &lines);
    let sessions = home.sessions();
    let uuids = |range: std::ops::Range<usize>| {
        let messages = sessions.session_messages(ID, range).unwrap();
        messages.into_iter().map(|message| message.uuid).collect::<Vec<_>>()
    };
    assert_eq!(uuids(0..2), ["0", "1"]);
    assert_eq!(uuids(18..30), ["18", "19"]);
    assert!(uuids(30..40).is_empty());
}

#[test]
fn torn_lines_and_strange_bytes_stop_nothing() {
    let home = Home::new();
    let path = home.write(&format!("-p/{ID}.jsonl"), &[said("user", "a", None, "1")]);
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(
        b"\n{\"type\":\"user\",\"uuid\":\"x\",\"message\":{\"a\":tru}}\n[]\nnull\n\xff\xfe\r\n",
    );
    bytes.extend(said("assistant", "b", Some("a"), "2").to_string().as_bytes());
    bytes.extend(
        b"\r\n{\"type\":\"user\",\"uuid\":\"x\",\"parentUuid\":\"b\",\"message\":{\"a\":tru}}",
    );
    bytes.extend(b"\r\n{\"type\":\"user\",\"uuid\":\"c\",\"parentUuid\":\"b\",\"mess");
    fs::write(&path, bytes).unwrap();
    assert_eq!(texts(&home), ["\"1\"", "\"2\""]);
}

#[test]
fn subagents_have_transcripts_and_parents_of_their_own() {
    let home = Home::new();
    home.write(&format!("-p/{ID}.jsonl"), &[said("user", "a", None, "1")]);
    let folder = format!("-p/{ID}/subagents");
    let mut lines = [said("user", "s1", None, "Do"), said("assistant", "s2", Some("s1"), "Done")];
    lines.iter_mut().for_each(|line| line["isSidechain"] = true.into());
    home.write(&format!("{folder}/agent-one.jsonl"), &lines);
    home.write(&format!("{folder}/workflows/run/agent-two.jsonl"), &lines[..1]);
    home.write(&format!("{folder}/other.jsonl"), &lines);
    symlink(".", home.path().join("projects").join(&folder).join("loop")).unwrap();
    let meta = json!({"toolUseId": "toolu_1", "parentAgentId": "two", "agentType": "x"});
    home.write(&format!("{folder}/agent-one.meta.json"), &[meta]);
    let sessions = home.sessions();
    assert_eq!(sessions.list_subagents(ID).unwrap(), ["one", "two"]);
    let messages = sessions.subagent_messages(ID, "one", ..).unwrap();
    assert_eq!(messages.len(), 2);
    assert_eq!(messages[1].parent_tool_use_id.as_deref(), Some("toolu_1"));
    assert_eq!(messages[1].parent_agent_id.as_deref(), Some("two"));
    let nested = sessions.subagent_messages(ID, "two", ..).unwrap();
    assert_eq!((nested.len(), &nested[0].parent_tool_use_id), (1, &None));
    let error = sessions.subagent_messages(ID, "three", ..).unwrap_err();
    assert!(matches!(error, SessionError::NoSubagent { .. }), "{error}");
}
