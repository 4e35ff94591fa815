//! The framing of server-sent events.

use std::time::Duration;

/// A comment, which keeps a connection alive and is no event.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// The id of an event: its stream, and its position there. 0 is that of the priming event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: u64,
    pub(super) position: u64,
}

/// Appends an event with a message, which is one line.
pub(super) fn write(out: &mut Vec<u8>, id: Option<EventId>, message: &[u8]) {
    if let Some(id) = id {
        id.write(out);
    }
    out.extend_from_slice(b"event: message\ndata: ");
    out.extend_from_slice(message);
    out.extend_from_slice(b"\n\n");
}

/// Appends an event without a message: from its id on the client can resume the stream.
pub(super) fn prime(out: &mut Vec<u8>, id: EventId, retry: Duration) {
    id.write(out);
    out.extend_from_slice(format!("retry: {}\ndata:\n\n", retry.as_millis()).as_bytes());
}

impl EventId {
    pub(super) fn read(text: &str) -> Option<Self> {
        let (stream, position) = text.split_once('-')?;
        Some(Self { stream: stream.parse().ok()?, position: position.parse().ok()? })
    }

    fn write(self, out: &mut Vec<u8>) {
        let Self { stream, position } = self;
        out.extend_from_slice(format!("id: {stream}-{position}\n").as_bytes());
    }
}
