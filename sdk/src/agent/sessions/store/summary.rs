use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{SessionEntry, SessionKey};
use crate::agent::sessions::prompt::{self, Found};
use crate::agent::sessions::{SessionInfo, time};
use crate::scan::{self, raw_members};

/// What lists show of a session that a store has; see
/// [`SessionStore::list_session_summaries`](super::SessionStore::list_session_summaries).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// The session's id.
    pub session_id: String,
    /// When the store has written it, in milliseconds since 1970: the same clock as that of
    /// [`StoredSession::mtime`](super::StoredSession::mtime), and not before it. An older summary
    /// is not used.
    pub mtime: u64,
    /// What was gathered. A store keeps it as it is.
    pub data: SummaryData,
}

/// What was gathered from the entries of a session. Its serialised form is that of the Python SDK.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SummaryData {
    #[serde(skip_serializing_if = "Option::is_none")]
    is_sidechain: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_prompt_locked: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command_fallback: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ai_title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    git_branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    /// What another version has gathered.
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// The summary of a session after these entries were appended to its conversation.
///
/// ```
/// use toolwright::agent::sessions::{SessionEntry, SessionKey, fold_session_summary};
///
/// let key = SessionKey::new("-work", "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21");
/// let titled = SessionEntry::parse(r#"{"type":"custom-title","customTitle":"Website"}"#)?;
/// let mut summary = fold_session_summary(None, &key, &[titled]);
/// // When the store has written it.
/// summary.mtime = 1_767_323_045_678;
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// A store calls it in `append`, for keys without a subpath, with the summary that it has and the
/// entries that it adds, and sets [`mtime`](SessionSummary::mtime). Calls for one session must not
/// overtake each other between reading the summary and writing it.
pub fn fold_session_summary(
    previous: Option<&SessionSummary>,
    key: &SessionKey,
    entries: &[SessionEntry],
) -> SessionSummary {
    let new = || SessionSummary {
        session_id: key.session_id.clone(),
        mtime: 0,
        data: Default::default(),
    };
    let mut summary = previous.cloned().unwrap_or_else(new);
    entries.iter().for_each(|entry| summary.data.add(entry.get()));
    summary
}

impl SummaryData {
    fn add(&mut self, entry: &str) {
        let fields = Fields::of(entry);
        let text = |raw: Option<&str>| raw.and_then(scan::string).map(String::from);
        self.is_sidechain.get_or_insert(fields.is_sidechain == Some("true"));
        let created = || text(fields.timestamp).and_then(|time| time::millis(&time));
        self.created_at = self.created_at.or_else(created);
        let cwd = || text(fields.cwd).filter(|cwd| !cwd.is_empty());
        self.cwd = self.cwd.take().or_else(cwd);
        if fields.kind == Some("\"relocated\"") {
            let moved = text(fields.relocated_cwd).filter(|folder| !folder.is_empty());
            self.cwd = moved.or(self.cwd.take());
        }
        self.add_prompt(entry, &fields);
        for (place, raw) in [
            (&mut self.custom_title, fields.custom_title),
            (&mut self.ai_title, fields.ai_title),
            (&mut self.last_prompt, fields.last_prompt),
            (&mut self.summary_hint, fields.summary),
            (&mut self.git_branch, fields.git_branch),
        ] {
            *place = text(raw).or(place.take());
        }
        if fields.kind == Some("\"tag\"") {
            self.tag = text(fields.tag).filter(|tag| !tag.is_empty());
        }
    }

    fn add_prompt(&mut self, entry: &str, fields: &Fields<'_>) {
        let is_made = [fields.is_meta, fields.is_compact_summary].contains(&Some("true"));
        if self.first_prompt_locked == Some(true) || is_made || has_result(fields.message) {
            return;
        }
        match prompt::of(entry) {
            Found::Prompt(prompt) => {
                self.first_prompt = Some(prompt);
                self.first_prompt_locked = Some(true);
            }
            Found::Command(name) => {
                self.command_fallback.get_or_insert(name);
            }
            Found::Nothing => {}
        }
    }
}

impl SessionSummary {
    /// What a list shows; `None` for what it leaves out.
    pub(in crate::agent::sessions) fn info(&self, project: &str) -> Option<SessionInfo> {
        let data = &self.data;
        if data.is_sidechain == Some(true) {
            return None;
        }
        let some = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let first_prompt = match data.first_prompt_locked {
            Some(true) => some(&data.first_prompt),
            _ => some(&data.command_fallback),
        };
        let custom_title = some(&data.custom_title).or_else(|| some(&data.ai_title));
        let summary = custom_title.clone().or_else(|| some(&data.last_prompt));
        let summary = summary.or_else(|| some(&data.summary_hint)).or(first_prompt.clone())?;
        Some(SessionInfo {
            session_id: self.session_id.clone(),
            summary,
            last_modified: self.mtime,
            file_size: None,
            custom_title,
            first_prompt,
            git_branch: some(&data.git_branch),
            cwd: some(&data.cwd).or_else(|| Some(project.to_owned())),
            tag: some(&data.tag),
            created_at: data.created_at,
            archived: None,
        })
    }
}

/// Whether a message has the result of a tool.
fn has_result(message: Option<&str>) -> bool {
    let content = message.and_then(|message| scan::member(message, "content"));
    let mut blocks = content.and_then(|content| scan::elements(content).ok()).into_iter().flatten();
    blocks.any(|block| scan::member(block, "type") == Some("\"tool_result\""))
}

raw_members! {
    /// The raw values of an entry's members.
    struct Fields {
        kind = "type",
        timestamp = "timestamp",
        is_sidechain = "isSidechain",
        is_meta = "isMeta",
        is_compact_summary = "isCompactSummary",
        cwd = "cwd",
        relocated_cwd = "relocatedCwd",
        message = "message",
        custom_title = "customTitle",
        ai_title = "aiTitle",
        last_prompt = "lastPrompt",
        summary = "summary",
        git_branch = "gitBranch",
        tag = "tag",
    }
}

impl<'a> Fields<'a> {
    fn of(entry: &'a str) -> Self {
        let mut fields = Self::default();
        // A broken entry has what comes before.
        let _ = scan::each_member(entry, |name, value| {
            fields.place(name).into_iter().for_each(|place| *place = Some(value));
        });
        fields
    }
}
