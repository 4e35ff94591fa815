//! Transcripts that lie: circles, ids that come twice, wrong types, damaged lines. What is read
//! from files is compared with what is read from a store.

use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use async_trait::async_trait;
use serde_json::{Value, json};
use toolwright::agent::sessions::{
    Fork, SessionEntry, SessionError, SessionKey, SessionMessage, SessionStore, Sessions,
    StoreError, StoredSessions,
};

use crate::damage::damage;
use crate::dice::Dice;
use crate::setting;

const SESSION: &str = "11111111-1111-4111-8111-111111111111";
/// The working folder, and the folder of its transcripts.
const WORK: &str = "/nowhere/fuzz";
const FOLDER: &str = "projects/-nowhere-fuzz";

const KINDS: [&str; 8] =
    ["user", "assistant", "user", "assistant", "progress", "system", "attachment", "summary"];
const WRONG: [&str; 7] = ["null", "7", "true", "\"\"", "[]", "{}", "\"\\ud800\""];
const MEMBERS: [&str; 9] = [
    "type",
    "uuid",
    "parentUuid",
    "message",
    "timestamp",
    "isSidechain",
    "isMeta",
    "teamName",
    "agentId",
];

/// Transcripts that were once read wrongly, or at all.
const KEPT: [&str; 7] = [
    "",
    "\n\n",
    "{",
    "{\"type\":\"user\",\"uuid\":\"a\",\"parentUuid\":\"a\"}\n",
    "{\"type\":\"progress\",\"uuid\":\"a\",\"parentUuid\":\"b\"}\n{\"type\":\"progress\",\"uuid\":\"b\",\"parentUuid\":\"a\"}\n{\"type\":\"user\",\"uuid\":\"c\",\"parentUuid\":\"a\",\"message\":{\"content\":\"x\"}}",
    "{\"type\":\"user\",\"uuid\":\"a\",\"message\":{\"content\":\"x\"},\"customTitle\":\"\\",
    "{\"type\":\"tag\",\"tag\":\"\\\"",
];

/// A store that keeps all that it gets, as files do.
#[derive(Default)]
struct Plain(Mutex<HashMap<SessionKey, Vec<SessionEntry>>>);

impl Plain {
    /// Whether each entry is known to come behind the one that it follows.
    fn is_in_order(&self) -> bool {
        let stored = self.0.lock().unwrap();
        let entries = stored.values().flatten().map(SessionEntry::decode::<Value>);
        let Ok(entries) = entries.collect::<Result<Vec<_>, _>>() else { return false };
        let place = |id: &Value| entries.iter().position(|it| id.is_string() && it["uuid"] == *id);
        let is_behind = |(at, entry): (usize, &Value)| {
            let followed = [&entry["parentUuid"], &entry["logicalParentUuid"]];
            followed.into_iter().all(|id| place(id).is_none_or(|place| place <= at))
        };
        entries.iter().enumerate().all(is_behind)
    }
}

#[async_trait]
impl SessionStore for Plain {
    async fn append(&self, key: &SessionKey, new: &[SessionEntry]) -> Result<(), StoreError> {
        self.0.lock().unwrap().entry(key.clone()).or_default().extend_from_slice(new);
        Ok(())
    }

    async fn load(&self, key: &SessionKey) -> Result<Option<Vec<SessionEntry>>, StoreError> {
        Ok(self.0.lock().unwrap().get(key).cloned())
    }
}

/// A configuration folder that is deleted with this value.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let name = format!("toolwright-fuzz-{name}-{}", std::process::id());
        let home = Self(std::env::temp_dir().join(name));
        fs::create_dir_all(home.0.join(FOLDER)).unwrap();
        home
    }

    fn transcript(&self, id: &str) -> PathBuf {
        self.0.join(FOLDER).join(format!("{id}.jsonl"))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn id(dice: &mut Dice) -> Value {
    json!(format!("00000000-0000-4000-8000-00000000000{}", dice.roll(9)))
}

fn block(dice: &mut Dice) -> Value {
    let call = format!("t{}", dice.roll(3));
    match dice.roll(3) {
        0 => json!({"type": "tool_use", "id": call, "name": "n", "input": {}}),
        1 => json!({"type": "tool_result", "tool_use_id": call, "content": "x"}),
        _ => json!({"type": "text", "text": "hi"}),
    }
}

/// A line that follows any other one, or one of those before it, if these are given.
fn line(dice: &mut Dice, before: Option<&mut Vec<Value>>) -> Vec<u8> {
    let uuid = id(dice);
    let parent = match before {
        None => id(dice),
        Some(before) => {
            before.push(uuid.clone());
            before[dice.roll(before.len())].clone()
        }
    };
    let content = match dice.roll(3) {
        0 => json!("hi"),
        _ => (0..dice.roll(3)).map(|_| block(dice)).collect(),
    };
    let second = dice.roll(3);
    let mut entry = json!({
        "type": dice.pick(&KINDS), "uuid": uuid, "parentUuid": parent, "sessionId": SESSION,
        "timestamp": format!("2026-01-02T03:04:0{second}.678Z"),
        "message": {"id": format!("m{}", dice.roll(2)), "content": content},
    });
    for name in ["isSidechain", "isMeta", "sourceToolAssistantUUID", "logicalParentUuid"] {
        if dice.one_in(12) {
            entry[name] = if name.starts_with("is") { json!(true) } else { id(dice) };
        }
    }
    if dice.one_in(20) {
        entry = json!({"type": "content-replacement", "sessionId": SESSION, "replacements": [1]});
    }
    if dice.one_in(6) {
        entry[dice.pick(&MEMBERS)] = "WRONG".into();
    }
    let mut line = entry.to_string().replace("\"WRONG\"", dice.pick(&WRONG)).into_bytes();
    if dice.one_in(4) {
        damage(dice, &mut line);
    }
    line
}

fn transcript(dice: &mut Dice) -> Vec<u8> {
    let (mut text, mut before) = (Vec::new(), dice.one_in(2).then(Vec::new));
    for _ in 0..1 + dice.roll(16) {
        text.extend(line(dice, before.as_mut()));
        text.push(b'\n');
    }
    if dice.one_in(4) {
        text.pop();
    }
    text
}

/// The messages without what a store may change.
fn plain(messages: Vec<SessionMessage>) -> Vec<String> {
    let text = |message: &SessionMessage| format!("{message:?}").replace(['\r', '\n'], " ");
    messages.iter().map(text).collect()
}

async fn check(home: &Home, text: &[u8]) -> Result<(), String> {
    fs::write(home.transcript(SESSION), text).unwrap();
    let sessions = Sessions::at(&home.0);
    let store = Arc::new(Plain::default());
    let stored = StoredSessions::of(store.clone(), WORK);
    let failed = |what: &str, error: SessionError| format!("{what}: {error}");

    let listed = sessions.list_sessions(..).map_err(|error| failed("list", error))?;
    let messages = match sessions.session_messages(SESSION, ..) {
        Ok(messages) => messages,
        // An empty file is no session.
        Err(SessionError::NotFound { .. }) if text.is_empty() => return Ok(()),
        Err(error) => return Err(failed("messages", error)),
    };
    for message in &messages {
        let _ = message.to_message();
    }
    let (in_file, count) = (plain(messages), listed.len());
    sessions.import_session_to_store(SESSION, &*store).await.map_err(|e| failed("import", e))?;
    let in_store = match stored.session_messages(SESSION, ..).await {
        Err(SessionError::NotFound { .. }) => Vec::new(),
        other => plain(other.map_err(|error| failed("stored messages", error))?),
    };
    // A store may have entries late, and they are put in order. A file has none late.
    if in_file != in_store && store.is_in_order() {
        return Err(format!("in the file {in_file:#?}, in the store {in_store:#?}"));
    }
    let _ = stored.session_info(SESSION).await;

    if let Ok(copy) = sessions.fork_session(SESSION, Fork::whole()) {
        let path = home.transcript(&copy);
        let lines = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        for line in lines.lines() {
            let entry = SessionEntry::parse(line).map_err(|error| format!("{error}: {line}"))?;
            let of = |name| entry.decode::<HashMap<String, Value>>().map(|all| all[name].clone());
            if of("sessionId").is_ok_and(|id| id != copy.as_str()) {
                return Err(format!("not of the copy: {line}"));
            }
        }
        sessions.session_messages(&copy, ..).map_err(|error| failed("copy", error))?;
        sessions.delete_session(&copy).map_err(|error| failed("delete", error))?;
        stored.fork_session(SESSION, Fork::whole()).await.map_err(|e| failed("stored copy", e))?;
    }
    if count > 0 {
        sessions.rename_session(SESSION, "Fuzz").map_err(|error| failed("rename", error))?;
        sessions.tag_session(SESSION, Some("fuzz")).map_err(|error| failed("tag", error))?;
        let info = sessions.session_info(SESSION).map_err(|error| failed("info", error))?;
        let info = info.ok_or("it is no longer shown")?;
        if (info.custom_title.as_deref(), info.tag.as_deref()) != (Some("Fuzz"), Some("fuzz")) {
            return Err(format!("without its title or its tag: {info:?}"));
        }
    }
    Ok(())
}

fn judge(home: &Home, text: &[u8]) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    catch_unwind(AssertUnwindSafe(|| runtime.block_on(check(home, text))))
        .unwrap_or_else(|_| Err("a panic".into()))
}

fn fuzz(name: &str, seed: u64, count: u64) {
    let (mut dice, home) = (Dice::new(seed), Home::new(name));
    for number in 0..count {
        let text = transcript(&mut dice);
        if let Err(fault) = judge(&home, &text) {
            let text = text.escape_ascii().to_string().replace("\\n", "\n");
            panic!("{fault}\n  transcript {number} of seed {seed}:\n{text}");
        }
    }
}

#[test]
fn the_kept_transcripts_are_read() {
    let home = Home::new("kept");
    for text in KEPT {
        judge(&home, text.as_bytes()).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    }
    assert!(Path::new(&home.0).exists());
}

#[test]
fn random_transcripts_are_read() {
    fuzz("random", setting("FUZZ_SEED", 1), 500);
}

/// `FUZZ_TRANSCRIPTS` transcripts, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_transcripts_are_read() {
    let (begin, count) = (Instant::now(), setting("FUZZ_TRANSCRIPTS", 100_000));
    fuzz("many", setting("FUZZ_SEED", 1_000), count);
    eprintln!("{count} transcripts in {:?}", begin.elapsed());
}
