use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

/// Transcripts as no CLI writes them, always the same.
pub(super) struct Made {
    state: u64,
    /// How many transcripts there are.
    count: u64,
}

impl Made {
    pub(super) fn new() -> Self {
        Self { state: 42, count: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.state >> 33) % bound as u64).unwrap()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Writes some sessions into the folder of a project.
    pub(super) fn sessions(&mut self, folder: &Path, count: usize) {
        for _ in 0..count {
            let number = self.count;
            let id = format!("{number:08x}-0000-4000-8000-000000000000");
            self.transcript(&folder.join(format!("{id}.jsonl")), &id);
            if self.chance(30) {
                let agents =
                    folder.join(&id).join(self.one(&["subagents", "subagents/workflows/run"]));
                self.transcript(&agents.join("agent-one.jsonl"), &id);
                if self.chance(60) {
                    let noted = json!({"toolUseId": "toolu_1", "parentAgentId": "two", "type": 1});
                    fs::write(agents.join("agent-one.meta.json"), noted.to_string()).unwrap();
                }
            }
        }
    }

    fn transcript(&mut self, path: &Path, id: &str) {
        let mut text = String::new();
        let mut uuids: Vec<String> = Vec::new();
        let length = self.below(60);
        // Most are whole.
        let is_torn = self.chance(20);
        for number in 0..length {
            let entry = self.entry(number, id, &mut uuids);
            text += &match self.chance(50) {
                // Both spellings are known.
                true => entry.to_string(),
                false => spaced(&entry),
            };
            text += "\n";
            if is_torn && self.chance(10) {
                text +=
                    self.one(&["{\"type\":\"user\",\"uuid\":\"torn", "[1]", "7", "{\"a\":}", " "]);
                text += "\n";
            }
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.count += 1;
        let time = UNIX_EPOCH + Duration::from_millis(1_700_000_000_000 + self.count * 1001);
        File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }

    fn entry(&mut self, number: usize, id: &str, uuids: &mut Vec<String>) -> Value {
        if self.chance(15) {
            return self.note(id);
        }
        let kind = self.one(&[
            "user",
            "user",
            "assistant",
            "assistant",
            "assistant",
            "progress",
            "system",
            "attachment",
        ]);
        let parent = match (uuids.is_empty() || self.chance(4), self.chance(75)) {
            (true, _) => Value::Null,
            (false, true) => json!(uuids.last()),
            (false, false) => json!(uuids[self.below(uuids.len())]),
        };
        let uuid = match !uuids.is_empty() && self.chance(2) {
            true => uuids[self.below(uuids.len())].clone(),
            false => format!("{}-{number}", &id[..8]),
        };
        uuids.push(uuid.clone());
        let seconds = self.below(60);
        let mut entry = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": id,
            "timestamp": format!("2026-01-02T03:04:{seconds:02}.678Z"),
            "message": self.message(kind),
        });
        for (name, value, percent) in [
            ("isMeta", json!(true), 4),
            ("isSidechain", json!(true), 6),
            ("isSidechain", json!(false), 20),
            ("teamName", json!("red"), 2),
            ("isCompactSummary", json!(true), 3),
            ("gitBranch", json!(self.one(&["main", "fix/ä", ""])), 30),
            ("cwd", json!("/work/\"quoted\""), 30),
            ("agentId", json!("other"), 5),
            ("sourceToolAssistantUUID", json!(uuids[self.below(uuids.len())]), 10),
        ] {
            if self.chance(percent) {
                entry[name] = value;
            }
        }
        entry
    }

    /// An entry that is no part of the conversation.
    fn note(&mut self, id: &str) -> Value {
        let text = self.one(&["", "One", "Two \\ \"three\"", "Vier ä 😀"]);
        let (kind, name) = [
            ("custom-title", "customTitle"),
            ("ai-title", "aiTitle"),
            ("last-prompt", "lastPrompt"),
            ("summary", "summary"),
            ("tag", "tag"),
            ("tag", "tag"),
        ][self.below(6)];
        json!({"type": kind, name: text, "sessionId": id})
    }

    fn message(&mut self, kind: &str) -> Value {
        let call = format!("toolu_{}", self.below(12));
        let text = self.text();
        match kind {
            "assistant" if self.chance(60) => json!({
                "role": kind, "id": format!("msg_{}", self.below(6)),
                "content": [{"type": "tool_use", "id": call, "name": "X", "input": {"tag": "no"}}],
            }),
            "user" if self.chance(50) => json!({
                "role": kind, "content": [{"type": "tool_result", "tool_use_id": call}],
            }),
            "user" if self.chance(50) => {
                json!({"role": kind, "content": [{"type": "image"}, {"type": "text", "text": text}]})
            }
            _ => json!({"role": kind, "content": text}),
        }
    }

    fn text(&mut self) -> String {
        let text = self.one(&[
            "Fix the bug",
            " two\nlines \u{e4} \u{1f600} \"quoted\" ",
            "<command-name>/clear</command-name>",
            "<tick>now",
            "[Request interrupted by user]",
            "<ide_opened_file>a.rs</ide_opened_file>",
            "<ide_opened_file>a.rs</ide_opened_file> why?",
            "",
        ]);
        match self.chance(5) {
            true => text.repeat(200),
            false => text.to_owned(),
        }
    }
}

/// As Python writes JSON.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!("{}: {}", json!(name), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(spaced).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}
