use std::fs::File;
use std::io::{self, BufWriter};
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::agent::sessions::write::write_new;
use crate::agent::sessions::{Fork, SessionError};

const LAST: &str = "33333333-3333-4333-8333-333333333333";
const MIDDLE: &str = "22222222-2222-4222-8222-222222222222";

fn home() -> Home {
    let home = Home::new();
    let mut first = said("user", "a", None, "First");
    first["slug"] = "x".into();
    first["sessionKind"] = "daemon".into();
    first["sentAsUuid"] = "x".into();
    first["huge"] = json!(1);
    let mut middle = said("assistant", MIDDLE, Some("p"), "Second");
    middle.as_object_mut().unwrap().remove("timestamp");
    let lines = [
        first,
        json!({"type": "progress", "uuid": "p", "parentUuid": "a"}),
        middle,
        json!({"type": "content-replacement", "sessionId": ID, "replacements": [{"n": 1}]}),
        json!({"type": "content-replacement", "sessionId": "other", "replacements": [{"n": 2}]}),
        json!({"type": "file-history-snapshot", "uuid": "h"}),
        said("user", LAST, Some(MIDDLE), "Third"),
        json!({"type": "progress", "uuid": "q", "parentUuid": LAST}),
    ];
    let path = home.write(&format!("-p/{ID}.jsonl"), &lines);
    // More digits than a number in memory has.
    let text = fs::read_to_string(&path).unwrap().replace("\"huge\":1", "\"huge\":1e9999");
    fs::write(path, text).unwrap();
    home
}

fn lines(home: &Home, id: &str) -> Vec<Value> {
    let text = fs::read_to_string(home.path().join(format!("projects/-p/{id}.jsonl"))).unwrap();
    let lines = text.lines().map(|line| line.replace("1e9999", "0"));
    lines.map(|line| serde_json::from_str(&line).unwrap()).collect()
}

#[test]
fn titles_and_tags_are_added_to_the_transcript() {
    let home = home();
    let sessions = home.sessions();
    sessions.rename_session(ID, "  A title ").unwrap();
    sessions.tag_session(ID, Some(" \u{200b}ﬁx\u{e000} ")).unwrap();
    let info = sessions.session_info(ID).unwrap().unwrap();
    assert_eq!((&*info.summary, info.tag.as_deref()), ("A title", Some("fix")));
    sessions.tag_session(ID, None).unwrap();
    assert_eq!(sessions.session_info(ID).unwrap().unwrap().tag, None);
    assert!(matches!(sessions.rename_session(ID, " "), Err(SessionError::EmptyTitle)));
    assert!(matches!(sessions.tag_session(ID, Some("\u{200d}")), Err(SessionError::EmptyTag)));
}

#[test]
fn a_deleted_session_is_not_made_again() {
    let home = home();
    home.write(&format!("-p/{ID}/subagents/agent-one.jsonl"), &[json!({})]);
    let sessions = home.sessions();
    sessions.delete_session(ID).unwrap();
    assert_eq!(fs::read_dir(home.path().join("projects/-p")).unwrap().count(), 0);
    for result in [
        sessions.rename_session(ID, "title"),
        sessions.tag_session(ID, None),
        sessions.delete_session(ID),
        sessions.fork_session(ID, Fork::whole()).map(drop),
    ] {
        assert!(matches!(result, Err(SessionError::NotFound { .. })), "{result:?}");
    }
    assert_eq!(fs::read_dir(home.path().join("projects/-p")).unwrap().count(), 0);
}

#[test]
fn an_empty_file_is_no_session() {
    let home = home();
    let stub = home.write(&format!("-a/{ID}.jsonl"), &[]);
    home.sessions().rename_session(ID, "title").unwrap();
    assert_eq!(fs::metadata(stub).unwrap().len(), 0);
    assert_eq!(lines(&home, ID).last().unwrap()["customTitle"], "title");
    assert_eq!(home.sessions().session_messages(ID, ..).unwrap().len(), 3);
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing_behind() {
    let home = Home::new();
    let full = |_: &mut BufWriter<&File>| Err(io::Error::other("the disk is full"));
    write_new(&home.path().join("file"), full).unwrap_err();
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn a_fork_is_the_same_conversation_with_new_ids() {
    let home = home();
    let sessions = home.sessions();
    let copy = sessions.fork_session(ID, Fork::whole()).unwrap();
    let copied = lines(&home, &copy);
    let kinds: Vec<_> = copied.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "assistant", "user", "content-replacement", "custom-title"]);
    assert_eq!(copied[0]["parentUuid"], Value::Null);
    assert_eq!(copied[1]["parentUuid"], copied[0]["uuid"]);
    assert_eq!(copied[2]["parentUuid"], copied[1]["uuid"]);
    assert_eq!(copied[2]["forkedFrom"], json!({"sessionId": ID, "messageUuid": LAST}));
    assert_eq!(copied[3]["replacements"], json!([{"n": 1}]));
    for name in ["slug", "sessionKind", "sentAsUuid"] {
        assert_eq!(copied[0].get(name), None, "{name}");
    }
    assert!(copied.iter().all(|line| line["sessionId"] == copy));
    assert_eq!(copied[0]["timestamp"], "2026-01-02T03:04:05.678Z");
    assert!(copied[1]["timestamp"].is_string());
    assert_ne!(copied[2]["timestamp"], "2026-01-02T03:04:05.678Z");
    assert_eq!(sessions.session_info(&copy).unwrap().unwrap().summary, "First (fork)");
    let path = home.path().join(format!("projects/-p/{copy}.jsonl"));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("\"huge\":1e9999"));
    assert_eq!(text.matches("\"parentUuid\":").count(), 3, "no member is there twice: {text}");
    let texts = |id| {
        let messages = sessions.session_messages(id, ..).unwrap();
        messages.iter().map(|message| message.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&copy), texts(ID));
}

#[test]
fn a_fork_keeps_what_a_compaction_has_kept() {
    const SUMMARY: &str = "44444444-4444-4444-8444-444444444444";
    let home = Home::new();
    let mut boundary = said("system", "boundary", None, "");
    boundary["subtype"] = "compact_boundary".into();
    boundary["compactMetadata"] = json!({"trigger": "auto", "runningTurnSends": ["x"],
        "preservedMessages": {"anchorUuid": SUMMARY, "uuids": ["b"], "allUuids": ["b", "lost"]},
        "preservedSegment": {"anchorUuid": SUMMARY, "headUuid": "b", "tailUuid": "b"}});
    let entries = [
        said("user", "a", None, "Old"),
        said("assistant", "b", Some("a"), "Kept"),
        boundary,
        said("user", SUMMARY, Some("boundary"), "Summary"),
        said("assistant", "d", Some(SUMMARY), "New"),
    ];
    home.write(&format!("-p/{ID}.jsonl"), &entries);
    let sessions = home.sessions();
    let texts = |id: &str| {
        let messages = sessions.session_messages(id, ..).unwrap().into_iter();
        messages.map(|said| said.message.to_value()["content"].to_string()).collect::<String>()
    };
    assert_eq!(texts(ID), r#""Summary""Kept""New""#);
    let copy = sessions.fork_session(ID, Fork::whole()).unwrap();
    assert_eq!(texts(&copy), texts(ID));
    let copied = lines(&home, &copy);
    let (kept, summary) = (&copied[1]["uuid"], &copied[3]["uuid"]);
    let expected = json!({"trigger": "auto",
        "preservedMessages": {"anchorUuid": summary, "uuids": [kept], "allUuids": [kept, "lost"]},
        "preservedSegment": {"anchorUuid": summary, "headUuid": kept, "tailUuid": kept}});
    assert_eq!(copied[2]["compactMetadata"], expected);
    // What was kept would come behind the end.
    let copy = sessions.fork_session(ID, Fork::up_to(SUMMARY)).unwrap();
    assert_eq!(texts(&copy), r#""Summary""#);
    // Nor is there a summary that it could come behind.
    let copy = sessions.fork_session(ID, Fork::up_to("boundary")).unwrap();
    assert_eq!(texts(&copy), r#""Old""Kept""#);
}

#[test]
fn a_fork_is_where_the_session_has_moved_to() {
    let home = home();
    let path = home.path().join(format!("projects/-p/{ID}.jsonl"));
    let mut text = fs::read_to_string(&path).unwrap();
    for folder in ["/first", "/last", ""] {
        let moved = json!({"type": "relocated", "sessionId": ID, "relocatedCwd": folder});
        text += &format!("{moved}\n");
    }
    text += &format!("{}\n", json!({"type": "history-suppression", "sessionId": ID}));
    fs::write(path, text).unwrap();
    let copy = home.sessions().fork_session(ID, Fork::whole()).unwrap();
    let copied = lines(&home, &copy);
    let of = |kind: &str| copied.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    let moved = json!({"type": "relocated", "sessionId": copy, "relocatedCwd": "/last"});
    assert_eq!(of("relocated"), [&moved]);
    assert_eq!(of("history-suppression")[0]["sessionId"], copy);
    assert_eq!(copied.last().unwrap()["type"], "custom-title");
}

#[test]
fn a_fork_ends_where_it_shall() {
    let home = home();
    let sessions = home.sessions();
    let copy = sessions.fork_session(ID, Fork::up_to(MIDDLE).title(" Way ")).unwrap();
    assert_eq!(sessions.session_messages(&copy, ..).unwrap().len(), 2);
    assert_eq!(sessions.session_info(&copy).unwrap().unwrap().summary, "Way");
    for message in [ID, "x"] {
        let error = sessions.fork_session(ID, Fork::up_to(message)).unwrap_err();
        assert_eq!(error.to_string(), format!("the session {ID} has no message {message}"));
    }
    home.write(&format!("-p/{ID}.jsonl"), &[json!({"type": "mode"})]);
    let error = sessions.fork_session(ID, Fork::whole()).unwrap_err();
    assert!(matches!(error, SessionError::NoMessages { .. }), "{error}");
    let left = fs::read_dir(home.path().join("projects/-p")).unwrap().count();
    assert_eq!(left, 2, "nothing unfinished stays");
}

#[test]
fn a_session_is_archived_until_it_is_used_again() {
    let home = home();
    let sessions = home.sessions();
    let is_archived = || sessions.session_info(ID).unwrap().unwrap().archived;
    assert_eq!(is_archived(), None);
    sessions.archive_session(ID).unwrap();
    assert_eq!(is_archived(), Some(true));
    assert_eq!(sessions.list_sessions(..).unwrap()[0].archived, Some(true));
    sessions.unarchive_session(ID).unwrap();
    assert_eq!(is_archived(), Some(false));
    sessions.archive_session(ID).unwrap();
    let mut later = said("user", "z", None, "Again");
    later["timestamp"] = "2999-01-01T00:00:00.000Z".into();
    let with = |name: &str, value: Value, text: &str| {
        let mut line = later.clone();
        line[name] = value;
        line["message"]["content"] = text.into();
        line
    };
    let origin = |kind: &str| json!({"kind": kind});
    let is_archived_behind = |line: &Value| {
        home.write(&format!("-p/{ID}.jsonl"), &[said("user", "a", None, "First"), line.clone()]);
        is_archived()
    };
    // What the CLI says in the user's name.
    for line in [
        with("isMeta", true.into(), "Again"),
        with("origin", origin("task-notification"), "Done"),
        with("origin", Value::Null, "Done"),
        with("n", 1.into(), "[Request interrupted by user]"),
        with("n", 1.into(), "<command-name>/model</command-name>"),
    ] {
        assert_eq!(is_archived_behind(&line), Some(true), "{line}");
    }
    let mut image = later.clone();
    image["message"]["content"] = json!([{"type": "image"}]);
    for line in [
        image,
        with("origin", origin("human"), "Again"),
        with("n", 1.into(), "<command-message>x</command-message><command-name>/x</command-name>"),
    ] {
        assert_eq!(is_archived_behind(&line), Some(false), "{line}");
    }
    home.write(&format!("-p/{ID}.jsonl"), &[said("user", "a", None, "First"), later]);
    assert_eq!(is_archived(), Some(false));
}

/// With a walk of its own for each entry it would take minutes.
#[test]
fn a_copy_is_made_in_one_walk() {
    const MANY: usize = 40_000;
    let home = Home::new();
    let mut lines = vec![said("user", "u", None, "hi")];
    for number in 0..MANY {
        let before = if number == 0 { "u".into() } else { format!("p{}", number - 1) };
        lines.push(json!({"type": "progress", "uuid": format!("p{number}"), "parentUuid": before}));
    }
    // In a circle.
    for number in 0..MANY {
        let before = format!("c{}", (number + 1) % MANY);
        lines.push(json!({"type": "progress", "uuid": format!("c{number}"), "parentUuid": before}));
    }
    lines.push(said("user", "lost", Some("c7"), "hi"));
    lines.push(said("assistant", "a", Some(&format!("p{}", MANY - 1)), "hi"));
    home.write(&format!("-work/{ID}.jsonl"), &lines);
    let copy = home.sessions().fork_session(ID, Fork::whole()).unwrap();
    assert_eq!(home.sessions().session_messages(&copy, ..).unwrap().len(), 2);
}

/// As the CLI leaves it that was killed while it wrote.
#[test]
fn a_line_that_was_cut_off_takes_no_change_with_it() {
    let home = Home::new();
    let path = home.write(&format!("-work/{ID}.jsonl"), &[said("user", "u", None, "hi")]);
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.push_str(r#"{"type":"assis"#);
    std::fs::write(&path, text).unwrap();
    home.sessions().tag_session(ID, Some("cut")).unwrap();
    let info = home.sessions().session_info(ID).unwrap().unwrap();
    assert_eq!(info.tag.as_deref(), Some("cut"));
}

/// What cannot be deleted must not be left without its session.
#[test]
fn a_session_that_is_not_deleted_whole_is_still_there() {
    let home = home();
    let sessions = home.sessions();
    let folder = home.path().join("projects/-p").join(ID);
    // Where a folder is expected.
    fs::write(&folder, "").unwrap();
    for _ in 0..2 {
        let error = sessions.delete_session(ID).unwrap_err();
        assert!(matches!(error, SessionError::Io { .. }), "{error}");
    }
    fs::remove_file(&folder).unwrap();
    sessions.delete_session(ID).unwrap();
}
