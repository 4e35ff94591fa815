//! The TypeScript SDK reads the messages of the CLI itself, and lists without programs, as this
//! library does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;
use toolwright::agent::sessions::Sessions;

use super::made::Made;
use crate::cli::Folder;
use crate::peers::{installed, peer};

/// The kinds and the ids of messages.
type Messages = Vec<(String, String)>;

#[derive(Deserialize)]
struct Theirs {
    /// All sessions, and those of people.
    listed: [BTreeSet<String>; 2],
    /// Without and with the messages of the CLI itself.
    read: BTreeMap<String, [Messages; 2]>,
}

#[test]
fn the_typescript_sdk_reads_the_same() {
    let package = "sdk-typescript/node_modules/@anthropic-ai/claude-agent-sdk/package.json";
    let Some(_) = installed(peer(package)) else { return };
    let config = Folder::create();
    let folder = config.path().join("projects/-work");
    Made::new().sessions(&folder, 120);
    let ids = mark(&folder);
    let output = Command::new("node")
        .arg(peer("sdk-typescript/sessions.mjs"))
        .args(&ids)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("CLAUDE_CONFIG_DIR", config.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Theirs = serde_json::from_slice(&output.stdout).unwrap();

    let sessions = Sessions::at(config.path());
    let listed = |sessions: &Sessions| {
        let infos = sessions.list_sessions(..).unwrap().into_iter();
        infos.map(|info| info.session_id).collect::<BTreeSet<_>>()
    };
    // Some that no CLI would write count for one of the two only.
    let [all, of_people] = theirs.listed;
    let both: BTreeSet<_> = listed(&sessions).intersection(&all).cloned().collect();
    let of_both =
        |listed: &BTreeSet<String>| -> Vec<_> { both.intersection(listed).cloned().collect() };
    let expected = of_both(&of_people);
    assert_eq!(of_both(&listed(&sessions.without_programmatic())), expected);
    let (people, both) = (expected.len(), both.len());
    assert!(both > 80 && people > 20 && people + 20 < both, "{people} of {both}");

    // Of transcripts that no CLI would write the TypeScript SDK chooses some ends otherwise than
    // the Python SDK, which this library follows.
    let (mut same, mut of_the_cli) = (0, 0);
    for (id, [plain, with_system]) in &theirs.read {
        if messages(&sessions, id) == *plain {
            let ours = messages(&sessions.with_system_messages(), id);
            assert_eq!(ours, *with_system, "{id}");
            same += 1;
            of_the_cli += ours.len() - plain.len();
        }
    }
    assert!(same > 40 && of_the_cli > 40, "{same} conversations, {of_the_cli} messages of the CLI");
}

fn messages(sessions: &Sessions, id: &str) -> Messages {
    let messages = sessions.session_messages(id, ..).unwrap_or_default().into_iter();
    let kind = |role| json!(role).as_str().unwrap().to_owned();
    messages.map(|message| (kind(message.role), message.uuid)).collect()
}

/// Lets programs have begun some of the sessions, and gives back the ids of all.
fn mark(folder: &Path) -> BTreeSet<String> {
    let entry = |word: &str| json!({"type": "x", "entrypoint": word}).to_string() + "\n";
    let kind = |word: &str| json!({"type": "x", "parentUuid": null, "sessionKind": word});
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths.filter(|path| path.is_file()).collect();
    paths.sort();
    for (number, path) in paths.iter().enumerate() {
        let text = fs::read_to_string(path).unwrap();
        let text = match number % 6 {
            0 => text,
            1 => text + &entry("sdk-cli"),
            2 => entry("cli") + &text + &entry("sdk-ts"),
            3 => text + &entry("sdk-py") + &entry("cli"),
            4 => text + &format!("{}\n", kind("daemon")),
            _ => format!("{}\n{text}", kind("daemon-worker")),
        };
        fs::write(path, text).unwrap();
    }
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| stem(path)).collect()
}
