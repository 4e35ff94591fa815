use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::*;
use crate::agent::sessions::glance::{Glance, WINDOW};
use crate::agent::sessions::{Fork, SessionError, SessionInfo, project};

fn info(lines: &[Value]) -> Option<SessionInfo> {
    let home = Home::new();
    home.write(&format!("-p/{ID}.jsonl"), lines);
    home.sessions().session_info(ID).unwrap()
}

fn prompt(text: &str) -> Value {
    said("user", "u", None, text)
}

#[test]
fn a_list_shows_what_the_ends_of_a_transcript_say() {
    let mut first = prompt("Fix  the\nbug ");
    first["cwd"] = "/work".into();
    first["gitBranch"] = "main".into();
    let lines = [
        json!({"type": "mode", "mode": "normal"}),
        first,
        json!({"type": "tag", "tag": "old", "sessionId": ID}),
        json!({"type": "user", "message": {"content": "{\"tag\":\"none\"}"}, "gitBranch": "fix"}),
        json!({"type": "tag", "tag": "\u{e4} \"new\"", "sessionId": ID}),
    ];
    let info = info(&lines).unwrap();
    assert_eq!(info.session_id, ID);
    assert_eq!(info.summary, "Fix  the bug");
    assert_eq!(info.first_prompt.as_deref(), Some("Fix  the bug"));
    assert_eq!(info.custom_title, None);
    assert_eq!(info.cwd.as_deref(), Some("/work"));
    assert_eq!(info.git_branch.as_deref(), Some("fix"));
    assert_eq!(info.tag.as_deref(), Some("\u{e4} \"new\""));
    assert_eq!(info.created_at, Some(1_767_323_045_678));
    assert_eq!(
        info.file_size,
        Some(lines.iter().map(|line| line.to_string().len() as u64 + 1).sum())
    );
}

#[test]
fn a_title_of_the_user_wins_over_all_else() {
    let ai = json!({"type": "ai-title", "aiTitle": "Made"});
    let last = json!({"type": "last-prompt", "lastPrompt": "Latest"});
    let own = json!({"type": "custom-title", "customTitle": "Own"});
    let summary = json!({"type": "summary", "summary": "Sum"});
    let of = |lines: &[&Value]| {
        let lines: Vec<_> =
            [prompt("First")].iter().chain(lines.iter().copied()).cloned().collect();
        info(&lines).unwrap().summary
    };
    assert_eq!(of(&[]), "First");
    assert_eq!(of(&[&summary]), "Sum");
    assert_eq!(of(&[&summary, &last]), "Latest");
    assert_eq!(of(&[&summary, &last, &ai]), "Made");
    assert_eq!(of(&[&own, &summary, &last, &ai]), "Own");
    // Cleared.
    let none = json!({"type": "custom-title", "customTitle": ""});
    assert_eq!(of(&[&own, &none, &ai]), "Made");
}

#[test]
fn what_the_cli_writes_as_the_user_is_no_prompt() {
    let mut meta = prompt("meta");
    meta["isMeta"] = true.into();
    let mut summary = prompt("compacted");
    summary["isCompactSummary"] = true.into();
    let mut result = prompt("");
    result["message"]["content"] = json!([{"type": "tool_result", "content": "x"}]);
    let lines = [
        meta,
        summary,
        result,
        prompt("<tick>1"),
        prompt("[Request interrupted by user for tool use]"),
        prompt("<ide_opened_file>a.rs</ide_opened_file>"),
        prompt("<ide_selection>x</ide_selection>\n"),
        prompt("<command-name>/model</command-name> now"),
        prompt("<command-name>/clear</command-name>"),
    ];
    assert_eq!(info(&lines).unwrap().summary, "/model");
    let mut lines = lines.to_vec();
    lines.push(prompt("<ide_selection>x</ide_selection> why?"));
    assert_eq!(info(&lines).unwrap().summary, "<ide_selection>x</ide_selection> why?");
    assert_eq!(info(&lines[..7]), None);
}

#[test]
fn a_long_prompt_is_cut_between_characters() {
    let long = info(&[prompt(&format!("{} {}", "ä".repeat(199), "b".repeat(99)))]).unwrap();
    assert_eq!(long.summary, format!("{}…", "ä".repeat(199)));
}

#[test]
fn transcripts_of_subagents_and_empty_ones_are_left_out() {
    let home = Home::new();
    let mut side = prompt("side");
    side["isSidechain"] = true.into();
    home.write(&format!("-p/{ID}.jsonl"), &[side]);
    home.write("-p/22222222-2222-4222-8222-222222222222.jsonl", &[]);
    home.write("-p/notes.jsonl", &[prompt("no session")]);
    home.write("-p/33333333-3333-4333-8333-333333333333.jsonl", &[json!({"type": "mode"})]);
    assert_eq!(home.sessions().list_sessions(..).unwrap(), []);
}

#[test]
fn the_newest_come_first_and_pages_fit_together() {
    let home = Home::new();
    let id = |n: u32| format!("{n:08}-0000-4000-8000-000000000000");
    for n in 0..10 {
        let path = home.write(&format!("-p{}/{}.jsonl", n % 2, id(n)), &[prompt("Hello")]);
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1000 + u64::from(n));
        fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }
    // A copy of one that is older.
    home.write(&format!("-p1/{}.jsonl", id(0)), &[prompt("Newer")]);
    let sessions = home.sessions();
    let all = sessions.list_sessions(..).unwrap();
    let ids: Vec<_> = all.iter().map(|info| info.session_id.clone()).collect();
    let expected: Vec<_> = [0, 9, 8, 7, 6, 5, 4, 3, 2, 1].into_iter().map(id).collect();
    assert_eq!(ids, expected);
    assert_eq!(all[0].summary, "Newer");
    assert_eq!(all[1].last_modified, 1_009_000);
    let pages = [sessions.list_sessions(..4).unwrap(), sessions.list_sessions(4..).unwrap()];
    assert_eq!(pages.concat(), all);
    assert_eq!(sessions.list_sessions(20..).unwrap(), []);
}

#[test]
fn a_project_has_the_sessions_of_its_folder() {
    let home = Home::new();
    let work = home.path().join("work");
    fs::create_dir(&work).unwrap();
    let name = project::sanitized(&project::canonical(&work));
    home.write(&format!("{name}/{ID}.jsonl"), &[prompt("Here")]);
    home.write(&format!("{name}-other/{ID}.jsonl"), &[prompt("Elsewhere")]);
    let here = home.sessions().in_project(&work);
    let list = here.list_sessions(..).unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].summary, "Here");
    // The folder stands in where no line has it.
    assert_eq!(list[0].cwd, Some(project::canonical(&work)));
    assert_eq!(here.session_info(ID).unwrap(), Some(list[0].clone()));
    let elsewhere = home.sessions().in_project(home.path());
    assert!(matches!(elsewhere.session_info(ID), Err(SessionError::NotFound { .. })));
}

#[test]
fn a_project_has_what_is_in_the_folder_that_the_user_names() {
    let (home, other) = (Home::new(), ID.replace('1', "2"));
    home.write(&format!("-nowhere/{ID}.jsonl"), &[prompt("Here")]);
    home.write(&format!("mine/{other}.jsonl"), &[prompt("There")]);
    let here = home.sessions().in_project("/nowhere").without_worktrees();
    assert!(matches!(here.session_info(&other), Err(SessionError::NotFound { .. })));
    let here = here.in_folder_named(Some("mine".into()));
    assert_eq!(here.list_sessions(..).unwrap().len(), 2);
    assert_eq!(here.session_info(&other).unwrap().unwrap().summary, "There");
    assert_eq!(here.session_info(ID).unwrap().unwrap().summary, "Here");
}

#[test]
fn a_project_with_a_long_path_has_the_sessions_of_no_other() {
    let home = Home::new();
    let long = format!("/nowhere/{}", "d".repeat(project::LONGEST));
    let said_in = |folder: &str, text: &str| {
        let mut said = prompt(text);
        said["cwd"] = folder.into();
        said
    };
    let [other, own, none] = ["a", "b", "c"].map(|name| format!("{long}/{name}"));
    let named = |hash: &str| format!("{}-{hash}", &project::sanitized(&long)[..project::LONGEST]);
    home.write(&format!("{}/{ID}.jsonl", named("1")), &[said_in(&other, "Elsewhere")]);
    // The CLI has another hash.
    home.write(&format!("{}/{ID}.jsonl", named("2")), &[said_in(&own, "Here")]);
    let of = |folder: &str| home.sessions().in_project(folder).without_worktrees();
    let listed = of(&own).list_sessions(..).unwrap();
    assert_eq!(listed.iter().map(|info| &*info.summary).collect::<Vec<_>>(), ["Here"]);
    assert_eq!(of(&own).session_info(ID).unwrap().unwrap().summary, "Here");
    assert_eq!(of(&none).list_sessions(..).unwrap(), []);
    assert!(matches!(of(&none).session_info(ID), Err(SessionError::NotFound { .. })));
}

#[test]
fn a_home_without_projects_has_no_sessions() {
    let home = Home::new();
    assert_eq!(home.sessions().list_sessions(..).unwrap(), []);
    assert_eq!(home.sessions().in_project("/").list_sessions(..).unwrap(), []);
    let error = home.sessions().session_info("../x").unwrap_err();
    assert!(matches!(error, SessionError::InvalidId { .. }), "{error}");
}

#[test]
fn only_the_ends_of_a_long_transcript_are_read() {
    let home = Home::new();
    let filler = || prompt(&"x".repeat(WINDOW));
    let title = |title: &str| json!({"type": "custom-title", "customTitle": title});
    let path = home.write(
        &format!("-p/{ID}.jsonl"),
        &[prompt("First"), filler(), title("lost"), filler(), title("kept")],
    );
    let glance = Glance::read(&path).unwrap().unwrap();
    assert_eq!((glance.head.len(), glance.tail.len()), (WINDOW, WINDOW));
    assert_eq!(glance.info(ID, None).unwrap().summary, "kept");
    home.write(&format!("-p/{ID}.jsonl"), &[prompt("First"), filler(), title("lost"), filler()]);
    assert_eq!(home.sessions().session_info(ID).unwrap().unwrap().summary, "First");
}

#[test]
fn a_project_has_no_sessions_of_another_one_whose_folder_has_the_same_name() {
    let home = Home::new();
    let of = |folder: &str| {
        let path = project::canonical(&home.path().join(folder));
        (home.sessions().in_project(&path).without_worktrees(), path)
    };
    let ((dashed, dashed_path), (nested, nested_path)) = (of("my-app"), of("my/app"));
    for path in [&dashed_path, &nested_path] {
        fs::create_dir_all(path).unwrap();
    }
    let name = project::sanitized(&dashed_path);
    let cwds = [&dashed_path, &nested_path, &dashed_path.replace("my-app", "my.app")];
    for (cwd, number) in cwds.iter().zip(["1", "2", "3"]) {
        let mut said = prompt("Hello");
        said["cwd"] = cwd.as_str().into();
        home.write(&format!("{name}/{}.jsonl", ID.replacen('1', number, 1)), &[said]);
    }
    let listed = |sessions: Sessions| {
        let infos = sessions.list_sessions(..).unwrap().into_iter();
        infos.map(|info| info.session_id[..1].to_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    // Nobody knows where the third one is now.
    assert_eq!(listed(dashed), ["1", "3"].map(String::from).into());
    assert_eq!(listed(nested), ["2", "3"].map(String::from).into());
    assert_eq!(listed(home.sessions()).len(), 3);
}

#[test]
fn a_session_that_goes_on_in_another_one_is_left_out() {
    const NEXT: &str = "22222222-2222-4222-8222-222222222222";
    let home = Home::new();
    let is_listed = |lines: &[Value]| {
        home.write(&format!("-p/{ID}.jsonl"), lines);
        let listed = home.sessions().list_sessions(..).unwrap();
        listed.iter().any(|info| info.session_id == ID)
    };
    let note = json!({"type": "continued-in", "continuedInSessionId": NEXT});
    assert!(is_listed(&[prompt("Hello"), note.clone()]), "there is no other");
    home.write(&format!("-p/{NEXT}.jsonl"), &[prompt("Hello")]);
    assert!(!is_listed(&[prompt("Hello"), note.clone()]));
    assert!(home.sessions().session_info(ID).unwrap().is_some());
    let mut answer = said("assistant", "a", None, "Hi");
    assert!(!is_listed(&[prompt("Hello"), note.clone(), answer.clone()]));
    answer["message"]["stop_reason"] = "end_turn".into();
    assert!(is_listed(&[prompt("Hello"), note.clone(), answer]));
    assert!(is_listed(&[prompt("Hello"), note, prompt("Again")]));
    let other = json!({"type": "continued-in", "continuedInSessionId": "../x"});
    assert!(is_listed(&[prompt("Hello"), other]));
}

#[test]
fn a_session_that_has_moved_is_in_its_last_folder() {
    let mut first = prompt("Hello");
    first["cwd"] = "/first".into();
    let moved = |folder: &str| json!({"type": "relocated", "relocatedCwd": folder});
    let of = |lines: &[Value]| info(lines).unwrap().cwd;
    assert_eq!(of(&[first.clone()]).as_deref(), Some("/first"));
    let said = prompt("{\"type\":\"relocated\",\"relocatedCwd\":\"/none\"}");
    let all = [first.clone(), moved("/a"), moved("/last"), said];
    assert_eq!(of(&all).as_deref(), Some("/last"));
    assert_eq!(of(&[first, moved("")]).as_deref(), Some("/first"));
    // With a long path it is known by it.
    let home = Home::new();
    let long = format!("/nowhere/{}", "d".repeat(project::LONGEST));
    let folder = format!("{}-1", &project::sanitized(&long)[..project::LONGEST]);
    home.write(&format!("{folder}/{ID}.jsonl"), &[prompt("Hello"), moved(&long)]);
    let here = home.sessions().in_project(&long).without_worktrees();
    assert_eq!(here.session_info(ID).unwrap().unwrap().cwd, Some(long));
}

#[test]
fn a_title_beside_the_transcript_counts_if_its_end_has_none() {
    let home = Home::new();
    let title = |title: &str| json!({"type": "custom-title", "customTitle": title});
    let beside = |lines: &[Value], noted: &str| {
        let path = home.write(&format!("-p/{ID}.jsonl"), lines).with_extension("");
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("custom-title.json"), noted).unwrap();
        home.sessions().session_info(ID).unwrap().unwrap().summary
    };
    let noted = r#"{"customTitle":" Not\u0007\r\u200bed\n"}"#;
    let long = [prompt("First"), title("Old"), prompt(&"x".repeat(WINDOW))];
    assert_eq!(beside(&long, noted), "Not ed");
    assert_eq!(beside(&long, r#"{"customTitle":7}"#), "Old");
    assert_eq!(beside(&[prompt("First"), title("Own")], noted), "Own");
    assert_eq!(
        beside(&[prompt("First"), json!({"type": "ai-title", "aiTitle": "Made"})], noted),
        "Not ed"
    );
    let copy = home.sessions().fork_session(ID, Fork::whole()).unwrap();
    assert_eq!(home.sessions().session_info(&copy).unwrap().unwrap().summary, "Not ed (fork)");
}

#[test]
fn pipes_with_the_names_of_files_are_passed_over() {
    let home = Home::new();
    let path = home.write(&format!("-p/{ID}.jsonl"), &[prompt("Hello")]);
    let folder = path.with_extension("");
    home.write(&format!("-p/{ID}/subagents/agent-one.jsonl"), &[prompt("Do")]);
    for pipe in [
        path.with_file_name("22222222-2222-4222-8222-222222222222.jsonl"),
        folder.join("archived.json"),
        folder.join("custom-title.json"),
        folder.join("subagents/agent-one.meta.json"),
        folder.join("subagents/agent-two.jsonl"),
    ] {
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    }
    let (send, receive) = mpsc::channel();
    let sessions = home.sessions();
    thread::spawn(move || {
        let listed = sessions.list_sessions(..).unwrap();
        assert_eq!(sessions.list_subagents(ID).unwrap(), ["one"]);
        send.send((listed, sessions.subagent_messages(ID, "one", ..).unwrap()))
    });
    let (listed, messages) = receive.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!((listed.len(), listed[0].archived, messages.len()), (1, None, 1));
}

#[test]
fn sessions_of_programs_are_left_out_if_that_is_wanted() {
    let home = Home::new();
    let marked = |number: usize, first: Value, last: Value| {
        let id = format!("{number}{}", &ID[1..]);
        let mut said = prompt("Hi");
        said.as_object_mut().unwrap().extend(first.as_object().unwrap().clone());
        // So long that the end does not have the beginning.
        let middle = json!({"type": "mode", "mode": "x".repeat(2 * WINDOW)});
        home.write(&format!("-p/{id}.jsonl"), &[json!({"type": "x"}), said, middle, last]);
        id
    };
    let none = json!({});
    let entry = |word: &str| json!({"entrypoint": word});
    let of_people = [
        marked(1, none.clone(), none.clone()),
        marked(2, entry("cli"), entry("sdk-py")),
        marked(3, entry("claude-vscode"), none.clone()),
        marked(4, json!({"sessionKind": "interactive"}), json!({"sessionKind": "daemon"})),
    ];
    marked(5, entry("sdk-ts"), entry("cli"));
    marked(6, none.clone(), entry("sdk-cli"));
    marked(7, entry("sdk-rs"), none.clone());
    marked(8, json!({"sessionKind": "daemon-worker"}), none);
    let listed = |sessions: Sessions| {
        let infos = sessions.list_sessions(..).unwrap().into_iter();
        infos.map(|info| info.session_id).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(listed(home.sessions()).len(), 8);
    assert_eq!(listed(home.sessions().without_programmatic()), of_people.into());
}
