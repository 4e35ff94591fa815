//! The framing of server-sent events.

/// A comment, which keeps a connection alive and is no event.
pub(super) const COMMENT: &[u8] = b":\n\n";

/// Appends an event with a message, which is one line.
pub(super) fn write(out: &mut Vec<u8>, message: &[u8]) {
    out.extend_from_slice(b"event: message\ndata: ");
    out.extend_from_slice(message);
    out.extend_from_slice(b"\n\n");
}
