use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::result::has_failed;
use crate::scan::{self, Members, raw_members};

/// What the driver has to know of a line before it is decoded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Peek<'a> {
    /// A message of the control protocol.
    Control(ControlKind),
    /// Not for users: `keep_alive`, and what is for the host only.
    Internal,
    /// `transcript_mirror`: what the CLI has written into a transcript.
    Mirror,
    /// The CLI is `idle`, `running`, or waits and `requires_action`.
    State { state: Cow<'a, str>, for_host_only: bool },
    /// The end of a turn, which may have failed.
    Result { is_error: bool },
    /// A turn begins.
    Init,
    /// The main conversation goes on.
    Work,
    /// A task began.
    TaskStarted { id: Cow<'a, str>, kind: Cow<'a, str> },
    /// A task ended, well or not.
    TaskEnded { id: Cow<'a, str> },
    /// Any other message.
    Other,
}

/// The kinds of control messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ControlKind {
    /// `control_request`
    Request,
    /// `control_response`
    Response,
    /// `control_cancel_request`
    Cancel,
}

raw_members! {
    /// The raw values of the members that tell lines apart.
    struct Found {
        kind = "type",
        subtype = "subtype",
        sdk_host_only = "sdk_host_only",
        state = "state",
        is_error = "is_error",
        parent_tool_use_id = "parent_tool_use_id",
        task_id = "task_id",
        task_type = "task_type",
        patch = "patch",
    }
}

/// Tells what a line is, in whatever order its members come. A line that is not whole is `Other`,
/// unless it begins as a control message.
pub(crate) fn peek(line: &str) -> Peek<'_> {
    match look(line) {
        (peek @ (Peek::Control(_) | Peek::Internal | Peek::Mirror), _) | (peek, true) => peek,
        (_, false) => Peek::Other,
    }
}

/// Whether a line cannot be anything but a part of an answer, as far as its beginning tells:
/// [`Peek::Work`] or [`Peek::Other`], whichever it is.
pub(crate) fn is_part_of_an_answer(line: &str) -> bool {
    static HOST_ONLY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("sdk_host_only"));
    let begins =
        |kind| line.strip_prefix("{\"type\":\"").is_some_and(|rest| rest.starts_with(kind));
    (begins("stream_event\",") || begins("assistant\","))
        && HOST_ONLY.find(line.as_bytes()).is_none()
}

/// Tells what a line is, from its beginning only.
pub(crate) fn peek_head(head: &str) -> Peek<'_> {
    look(head).0
}

/// What a line is, as far as it can be read, and whether it could be read to its end.
fn look(line: &str) -> (Peek<'_>, bool) {
    let mut found = Found::default();
    let Ok(mut members) = Members::of(line) else { return (Peek::Other, false) };
    let is_whole = loop {
        let key = match members.key() {
            Ok(Some(key)) => key,
            end => break end.is_ok() && members.finish().is_ok(),
        };
        let Ok(value) = members.value() else { break false };
        let Some(place) = found.place(key) else { continue };
        // The first counts, as in `Message::parse`, so that only the first member of a control
        // message has to be read.
        if place.is_none() {
            *place = Some(value);
        }
        if key == "type"
            && let Some(known) = without_more(value)
        {
            return (known, false);
        }
    };
    (found.peek(), is_whole)
}

fn without_more(kind: &str) -> Option<Peek<'static>> {
    Some(match kind {
        "\"control_request\"" => Peek::Control(ControlKind::Request),
        "\"control_response\"" => Peek::Control(ControlKind::Response),
        "\"control_cancel_request\"" => Peek::Control(ControlKind::Cancel),
        "\"keep_alive\"" => Peek::Internal,
        "\"transcript_mirror\"" => Peek::Mirror,
        _ => return None,
    })
}

impl<'a> Found<'a> {
    fn peek(self) -> Peek<'a> {
        let for_host_only = self.sdk_host_only == Some("true");
        let kind = self.kind.and_then(scan::string).unwrap_or_default();
        let subtype = self.subtype.and_then(scan::string).unwrap_or_default();
        match (&*kind, &*subtype) {
            ("system", "session_state_changed") => {
                Peek::State { state: text(self.state), for_host_only }
            }
            _ if for_host_only => Peek::Internal,
            ("result", subtype) => {
                Peek::Result { is_error: has_failed(self.is_error == Some("true"), subtype) }
            }
            ("assistant" | "stream_event", _)
                if self.parent_tool_use_id.is_none_or(|parent| parent == "null") =>
            {
                Peek::Work
            }
            ("system", "init") => Peek::Init,
            ("system", "task_started") => {
                Peek::TaskStarted { id: text(self.task_id), kind: text(self.task_type) }
            }
            ("system", "task_notification") => Peek::TaskEnded { id: text(self.task_id) },
            ("system", "task_updated") => {
                let status = self.patch.and_then(|patch| scan::text(patch, "status"));
                match status
                    .is_none_or(|status| matches!(&*status, "pending" | "running" | "paused"))
                {
                    true => Peek::Other,
                    false => Peek::TaskEnded { id: text(self.task_id) },
                }
            }
            _ => Peek::Other,
        }
    }
}

fn text(raw: Option<&str>) -> Cow<'_, str> {
    raw.and_then(scan::string).unwrap_or_default()
}
