//! The beginning and the end of a transcript, and what a list shows of them. Nothing in them is
//! decoded, as a line may be cut: the patterns are those of the official SDKs, so that all show the
//! same.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde_json::json;

use super::prompt::first_prompt;
use super::sanitize::in_one_line;
use super::strings::{first_string, last_string};
use super::{SessionEntry, SessionInfo, folders, time};
use crate::scan;

/// How much is read of each end, in bytes.
pub(super) const WINDOW: usize = 64 * 1024;
/// The member with the title that the user gave.
const TITLE: &str = "customTitle";
/// No more characters of a title beside the transcript are shown.
const LONGEST_TITLE: usize = 200;

/// The ends of a transcript.
#[derive(Debug)]
pub(super) struct Glance {
    pub(super) modified: u64,
    /// In bytes.
    pub(super) size: u64,
    pub(super) head: String,
    /// The head itself for a short transcript.
    pub(super) tail: String,
    /// The title in a file of its own, where the CLI keeps it for a long transcript.
    pub(super) noted_title: Option<String>,
}

impl Glance {
    /// `None` for an empty file.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut file = folders::open(path, None)?;
        let found = file.metadata()?;
        let modified = time::millis_of(found.modified()?);
        let head = window(&mut file)?;
        if head.is_empty() {
            return Ok(None);
        }
        let size = found.len();
        let tail = match size.checked_sub(WINDOW as u64) {
            None | Some(0) => head.clone(),
            Some(from) => {
                file.seek(SeekFrom::Start(from))?;
                window(&mut file)?
            }
        };
        let is_named = last_string(&tail, TITLE).is_some();
        let noted_title = if is_named { None } else { noted_title(path) };
        Ok(Some(Self { modified, size, head, tail, noted_title }))
    }

    /// The ends of a transcript that a store has.
    pub(super) fn of(entries: &[SessionEntry], modified: u64) -> Self {
        let mut head = Vec::new();
        let mut all = entries.iter();
        while head.len() < WINDOW
            && let Some(entry) = all.next()
        {
            push_line(&mut head, entry);
        }
        let size = entries.iter().map(|entry| entry.get().len() as u64 + 1).sum();
        let mut first = entries.len();
        let mut length = 0;
        while length < WINDOW && first > 0 {
            first -= 1;
            length += entries[first].get().len() + 1;
        }
        let mut tail = Vec::new();
        entries[first..].iter().for_each(|entry| push_line(&mut tail, entry));
        let tail = &tail[tail.len().saturating_sub(WINDOW)..];
        head.truncate(WINDOW);
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self { modified, size, head: text(&head), tail: text(tail), noted_title: None }
    }

    /// `None` for what no list shows: a transcript of a subagent, or one without anything that
    /// could stand for it.
    pub(super) fn info(&self, id: &str, project: Option<&str>) -> Option<SessionInfo> {
        let Self { modified, size, head, tail, .. } = self;
        let first = head.split('\n').next().unwrap_or_default();
        if [r#""isSidechain":true"#, r#""isSidechain": true"#].iter().any(|key| first.contains(key))
        {
            return None;
        }
        let custom_title = self.title();
        let first_prompt = first_prompt(head);
        let in_tail = |key| last_string(tail, key).filter(|text| !text.is_empty());
        let summary = custom_title.clone().or_else(|| in_tail("lastPrompt"));
        let summary = summary.or_else(|| in_tail("summary")).or_else(|| first_prompt.clone())?;
        let in_head = |key| first_string(head, key).filter(|text| !text.is_empty());
        // Only of its own line: inputs of tools have members of this name, too.
        let tag = tail.rsplit('\n').find(|line| line.starts_with(r#"{"type":"tag""#));
        Some(SessionInfo {
            session_id: id.to_owned(),
            summary,
            last_modified: *modified,
            file_size: Some(*size),
            custom_title,
            first_prompt,
            git_branch: in_tail("gitBranch").or_else(|| in_head("gitBranch")),
            cwd: self.cwd().or_else(|| project.map(Into::into)),
            tag: tag.and_then(|line| last_string(line, "tag")).filter(|tag| !tag.is_empty()),
            created_at: first_string(head, "timestamp").and_then(|text| time::millis(&text)),
            archived: None,
        })
    }

    /// What a copy of the session is named after.
    pub(super) fn name(&self) -> Option<String> {
        self.title().or_else(|| first_prompt(&self.head))
    }

    /// The title that the user gave, or else the one that the CLI made.
    pub(super) fn title(&self) -> Option<String> {
        let last = |text, key| last_string(text, key).filter(|title| !title.is_empty());
        last(&self.tail, TITLE)
            .or_else(|| self.noted_title.clone())
            .or_else(|| last(&self.head, TITLE))
            .or_else(|| [&self.tail, &self.head].iter().find_map(|text| last(text, "aiTitle")))
    }

    /// The working folder: the one that the session has moved to, or else the first.
    pub(super) fn cwd(&self) -> Option<String> {
        let moved = self.tail.rsplit('\n').find(|line| {
            line.contains("\"relocatedCwd\":")
                && scan::text(line, "type").as_deref() == Some("relocated")
        });
        let moved = moved.and_then(|line| scan::text(line, "relocatedCwd")).map(String::from);
        moved.filter(|folder| !folder.is_empty()).or_else(|| self.first_cwd())
    }

    /// The working folder in which the session began.
    pub(super) fn first_cwd(&self) -> Option<String> {
        first_string(&self.head, "cwd").filter(|folder| !folder.is_empty())
    }
}

/// The title in the file beside a transcript, without what cannot be shown in a line.
fn noted_title(transcript: &Path) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Noted {
        custom_title: String,
    }
    let text = folders::beside(transcript, "custom-title.json")?;
    let title = serde_json::from_slice::<Noted>(&text).ok()?.custom_title;
    let title: String = in_one_line(title.trim()).chars().take(LONGEST_TITLE).collect();
    Some(title.trim().to_owned()).filter(|title| !title.is_empty())
}

/// A tag is found by the beginning of its line, and a store may have changed the order of members.
fn push_line(lines: &mut Vec<u8>, entry: &SessionEntry) {
    match entry.kind() == "tag" {
        true => {
            let tag = json!(entry.text("tag").unwrap_or_default());
            lines.extend(format!(r#"{{"type":"tag","tag":{tag}}}"#).into_bytes());
        }
        false => lines.extend(entry.get().as_bytes()),
    }
    lines.push(b'\n');
}

fn window(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(WINDOW as u64).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
