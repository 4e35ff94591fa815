//! The entries of a copy of a session.
//!
//! A transcript is read twice: first for the ids in it, then line by line for the copy, so that no
//! more than the ids is in memory.

use std::collections::HashMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::error::SessionError;
use super::fork::Fork;
use super::time;
use crate::agent::uuid;
use crate::scan::{self, Members};

/// A copy while it is made.
pub(super) struct Forked {
    source: String,
    fork: Fork,
    copy: String,
    now: String,
    entries: Vec<Entry>,
    /// Contents that stand elsewhere, as far as the CLI notes them; JSON texts.
    replacements: Vec<String>,
    /// The folder that the session has moved to.
    folder: Option<String>,
    /// Whether the CLI must not show the history.
    is_suppressed: bool,
    /// The new id of each message.
    ids: HashMap<String, String>,
    /// The message before each one. The copy has no progress.
    parents: HashMap<String, String>,
    /// How many entries were copied.
    copied: usize,
}

/// What the copy of an entry depends on.
struct Entry {
    uuid: String,
    parent: Option<String>,
    is_progress: bool,
}

/// What an entry of one session only has.
const DROPPED: [&str; 10] = [
    "teamName",
    "agentName",
    "sessionKind",
    "slug",
    "sourceToolAssistantUUID",
    "summarizedTurnPromptUuids",
    "droppedPromptUuids",
    "sentAsUuid",
    "rowsAheadOfPutBack",
    "turnAttributionKey",
];

/// Where the boundary of a compaction names the messages that it has kept.
const KEPT: [(&str, [&str; 3]); 2] = [
    ("preservedMessages", ["anchorUuid", "uuids", "allUuids"]),
    ("preservedSegment", ["anchorUuid", "headUuid", "tailUuid"]),
];

impl Forked {
    pub(super) fn new(source: &str, fork: Fork) -> Self {
        Self {
            source: source.to_owned(),
            fork,
            copy: uuid::random(),
            now: time::now(),
            entries: Vec::new(),
            replacements: Vec::new(),
            folder: None,
            is_suppressed: false,
            ids: HashMap::new(),
            parents: HashMap::new(),
            copied: 0,
        }
    }

    /// The id of the copy.
    pub(super) fn id(&self) -> &str {
        &self.copy
    }

    /// First each line is read.
    pub(super) fn read(&mut self, line: &str) {
        if let Some(entry) = Entry::read(line) {
            self.entries.push(entry);
            return;
        }
        let text = |name| scan::text(line, name);
        if text("sessionId").as_deref() != Some(&self.source)
            || serde_json::from_str::<&RawValue>(line).is_err()
        {
            return;
        }
        match text("type").as_deref() {
            Some("content-replacement") => {
                let raw = scan::member(line, "replacements");
                let raw = raw.and_then(|raw| scan::elements(raw).ok());
                self.replacements.extend(raw.into_iter().flatten().map(str::to_owned));
            }
            Some("relocated") => {
                let folder = text("relocatedCwd").filter(|folder| !folder.is_empty());
                self.folder = folder.map(Into::into).or(self.folder.take());
            }
            Some("history-suppression") => self.is_suppressed = true,
            _ => {}
        }
    }

    /// Then it is decided what the copy has.
    pub(super) fn plan(&mut self) -> Result<(), SessionError> {
        if let Some(last) = self.fork.last() {
            let place = self.entries.iter().position(|entry| entry.uuid == last);
            let missing =
                || SessionError::NoMessage { id: self.source.clone(), message: last.to_owned() };
            self.entries.truncate(place.ok_or_else(missing)? + 1);
        }
        while self.entries.last().is_some_and(|entry| entry.is_progress) {
            self.entries.pop();
        }
        if self.entries.is_empty() {
            return Err(SessionError::NoMessages { id: self.source.clone() });
        }
        let known: HashMap<_, _> = self.entries.iter().map(|entry| (&*entry.uuid, entry)).collect();
        // The message before each entry of progress, which is walked along once. One in a circle
        // has none.
        let mut before: HashMap<&str, Option<&str>> = HashMap::new();
        let mut parents = HashMap::new();
        for entry in &self.entries {
            let (mut walked, mut at) = (Vec::new(), entry.parent.as_deref());
            let parent = loop {
                let Some(entry) = at.and_then(|at| known.get(at)) else { break None };
                if !entry.is_progress {
                    break Some(&*entry.uuid);
                }
                if let Some(parent) = before.get(&*entry.uuid) {
                    break *parent;
                }
                before.insert(&entry.uuid, None);
                walked.push(&*entry.uuid);
                at = entry.parent.as_deref();
            };
            before.extend(walked.into_iter().map(|progress| (progress, parent)));
            parents.extend(parent.map(|parent| (entry.uuid.clone(), parent.to_owned())));
        }
        self.parents = parents;
        let id = |entry: &Entry| (entry.uuid.clone(), uuid::random());
        self.ids = self.entries.iter().map(id).collect();
        Ok(())
    }

    /// Then each line is copied, in the same order. `None` if the copy has none for it. Lines that
    /// were not read before are not copied.
    pub(super) fn copy(&mut self, line: &str) -> Option<String> {
        // What comes behind the end of the copy needs not be looked at.
        if self.copied == self.entries.len() {
            return None;
        }
        let entry = Entry::read(line)?;
        let new = |old: Option<&str>| json!(old.and_then(|old| self.ids.get(old)));
        let uuid = new(Some(&entry.uuid));
        self.copied += 1;
        if uuid.is_null() || entry.is_progress {
            return None;
        }
        let mut changes = vec![
            ("uuid", uuid),
            ("parentUuid", new(self.parents.get(&entry.uuid).map(|parent| &**parent))),
            ("logicalParentUuid", new(scan::text(line, "logicalParentUuid").as_deref())),
            ("sessionId", json!(self.copy)),
            ("isSidechain", json!(false)),
            ("forkedFrom", json!({"sessionId": self.source, "messageUuid": entry.uuid})),
        ];
        // The CLI takes the newest as the end of the conversation.
        if self.copied == self.entries.len() || scan::member(line, "timestamp").is_none() {
            changes.push(("timestamp", json!(self.now)));
        }
        changes.extend(self.compaction(line).map(|noted| ("compactMetadata", noted)));
        changed(line, &changes)
    }

    /// What a boundary notes of its compaction, with the ids of the copy.
    fn compaction(&self, line: &str) -> Option<Value> {
        let mut noted: Value = serde_json::from_str(scan::member(line, "compactMetadata")?).ok()?;
        let members = noted.as_object_mut()?;
        // What was kept belongs behind the anchor, and nothing behind the end of the copy.
        let is_behind = |anchor: &Value| {
            let anchor = anchor.as_str();
            anchor.is_some_and(|it| self.fork.last() == Some(it) || !self.ids.contains_key(it))
        };
        members.retain(|name, it| name != "runningTurnSends" && !is_behind(&it["anchorUuid"]));
        for (group, names) in KEPT {
            let Some(group) = members.get_mut(group) else { continue };
            for name in names {
                match group.get_mut(name) {
                    Some(Value::Array(ids)) => ids.iter_mut().for_each(|id| self.rename(id)),
                    Some(id) => self.rename(id),
                    None => {}
                }
            }
        }
        Some(noted)
    }

    fn rename(&self, id: &mut Value) {
        if let Some(new) = id.as_str().and_then(|old| self.ids.get(old)) {
            *id = json!(new);
        }
    }

    /// The lines at the end of the copy. `title` finds what the session is called.
    pub(super) fn end(
        &self,
        title: impl FnOnce() -> Result<Option<String>, SessionError>,
    ) -> Result<Vec<String>, SessionError> {
        let about = || {
            let (uuid, now) = (uuid::random(), &self.now);
            format!(r#""sessionId":"{}","uuid":"{uuid}","timestamp":"{now}""#, self.copy)
        };
        let mut lines = Vec::new();
        if !self.replacements.is_empty() {
            let all = self.replacements.join(",");
            let about = about();
            lines.push(format!(
                r#"{{"type":"content-replacement",{about},"replacements":[{all}]}}"#
            ));
        }
        let copy = &self.copy;
        if self.is_suppressed {
            let noted = json!({"type": "history-suppression", "sessionId": copy,
                "cause": "fork_inherit", "ts": self.now});
            lines.push(noted.to_string());
        }
        if let Some(folder) = &self.folder {
            let noted = json!({"type": "relocated", "sessionId": copy, "relocatedCwd": folder});
            lines.push(noted.to_string());
        }
        let title = match self.fork.given_title() {
            Some(title) => title.to_owned(),
            None => format!("{} (fork)", title()?.as_deref().unwrap_or("Forked session")),
        };
        let (about, title) = (about(), json!(title));
        lines.push(format!(r#"{{"type":"custom-title",{about},"customTitle":{title}}}"#));
        Ok(lines)
    }
}

impl Entry {
    /// `None` for a line that no copy has.
    fn read(line: &str) -> Option<Self> {
        let kind = scan::text(line, "type")?;
        let is_progress = match &*kind {
            "user" | "assistant" | "attachment" | "system" => false,
            "progress" => true,
            _ => return None,
        };
        if scan::member(line, "isSidechain") == Some("true") {
            return None;
        }
        serde_json::from_str::<&RawValue>(line).ok()?;
        let parent = scan::text(line, "parentUuid").map(Into::into);
        Some(Self { uuid: scan::text(line, "uuid")?.into(), parent, is_progress })
    }
}

/// An object with other members. What does not change keeps its text.
fn changed(line: &str, changes: &[(&str, Value)]) -> Option<String> {
    let mut members = Members::of(line).ok()?;
    let mut parts = Vec::new();
    while let Some(key) = members.key().ok()? {
        let value = members.value().ok()?;
        let name = scan::unescape(key);
        let is_changed = changes.iter().any(|(changed, _)| *changed == name);
        if !is_changed && !DROPPED.contains(&&*name) {
            parts.push(format!("\"{key}\":{value}"));
        }
    }
    parts.extend(changes.iter().map(|(name, value)| format!("\"{name}\":{value}")));
    Some(format!("{{{}}}", parts.join(",")))
}
