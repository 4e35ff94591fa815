use serde_json::value::RawValue;

use super::kept::Kept;
use super::names::{Name, Names};
use crate::scan::{self, raw_members};

/// What ties an entry of a transcript to others, without its content.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) kind: Kind,
    pub(super) uuid: Name,
    pub(super) parent: Option<Name>,
    /// The assistant entry whose call it answers, as the CLI notes it.
    pub(super) source: Option<Name>,
    /// The subagent that wrote it.
    pub(super) agent: Option<Name>,
    /// The id of the API's answer that an assistant entry is a part of.
    pub(super) answer: Option<Name>,
    /// The ids of the calls in an assistant entry.
    pub(super) calls: Vec<Name>,
    /// The ids of the calls that a user entry answers.
    pub(super) results: Vec<Name>,
    pub(super) has_result: bool,
    pub(super) is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) is_team: bool,
    pub(super) timestamp: Box<str>,
    /// What the compaction has kept of which it is the boundary.
    pub(super) kept: Option<Box<Kept>>,
}

/// The entries that a chain is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    System,
    /// Progress or an attachment.
    Other,
}

impl Link {
    /// Reads a line. `None` if it is broken, or no entry that a chain is made of.
    pub(super) fn read(line: &str, names: &mut Names) -> Option<Self> {
        let raw = Raw::read(line)?;
        let kind = match &*scan::string(raw.kind?)? {
            "user" => Kind::User,
            "assistant" => Kind::Assistant,
            "system" => Kind::System,
            "progress" | "attachment" => Kind::Other,
            _ => return None,
        };
        let uuid = scan::string(raw.uuid?)?;
        // The scan has not checked what is in the values.
        serde_json::from_str::<&RawValue>(line).ok()?;
        let mut link = Self {
            kind,
            uuid: names.of(&uuid),
            parent: names.of_raw(raw.parent),
            source: names.of_raw(raw.source),
            agent: names.of_raw(raw.agent),
            answer: None,
            calls: Vec::new(),
            results: Vec::new(),
            has_result: false,
            is_sidechain: is_true(raw.is_sidechain),
            is_meta: is_true(raw.is_meta),
            is_team: is_true(raw.team),
            timestamp: raw.timestamp.and_then(scan::string).unwrap_or_default().into(),
            kept: None,
        };
        if kind == Kind::System && raw.subtype == Some("\"compact_boundary\"") {
            link.kept = raw.compaction.and_then(|raw| Kept::read(raw, names)).map(Box::new);
        }
        link.read_message(raw.message.unwrap_or_default(), names);
        Some(link)
    }

    fn read_message(&mut self, message: &str, names: &mut Names) {
        if self.kind == Kind::Assistant {
            self.answer = names.of_raw(scan::member(message, "id"));
        }
        let Some(content) = scan::member(message, "content") else { return };
        let Ok(blocks) = scan::elements(content) else { return };
        for block in blocks {
            let kind = scan::text(block, "type").unwrap_or_default();
            match (self.kind, &*kind) {
                (Kind::Assistant, "tool_use") => {
                    self.calls.extend(names.of_raw(scan::member(block, "id")));
                }
                (Kind::User, "tool_result") => {
                    self.has_result = true;
                    self.results.extend(names.of_raw(scan::member(block, "tool_use_id")));
                }
                _ => {}
            }
        }
    }

    /// Whether it is a part of the conversation: said by the user or the model.
    pub(super) fn is_said(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Assistant)
    }

    /// Whether it belongs to the conversation with the user.
    pub(super) fn is_main(&self) -> bool {
        !self.is_sidechain && !self.is_team && !self.is_meta
    }

    pub(super) fn has_writer_of(&self, other: &Self) -> bool {
        self.is_sidechain == other.is_sidechain && self.agent == other.agent
    }
}

raw_members! {
    /// The raw values of the members that a link is made of.
    struct Raw {
        kind = "type",
        uuid = "uuid",
        parent = "parentUuid",
        source = "sourceToolAssistantUUID",
        agent = "agentId",
        team = "teamName",
        is_sidechain = "isSidechain",
        is_meta = "isMeta",
        timestamp = "timestamp",
        message = "message",
        subtype = "subtype",
        compaction = "compactMetadata",
    }
}

impl<'a> Raw<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut raw = Self::default();
        scan::each_member(line, |name, value| {
            raw.place(name).into_iter().for_each(|place| *place = Some(value));
        })
        .ok()?;
        Some(raw)
    }
}

/// What counts as true in JavaScript and Python alike.
fn is_true(raw: Option<&str>) -> bool {
    !matches!(raw, None | Some("null" | "false" | "0" | "\"\""))
}
