//! A question as a result has it.

use crate::mcp::protocol::write_json;

/// A question, or without parameters the wish for another round.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) key: String,
    /// Of its method and parameters.
    pub(crate) digest: u64,
    pub(crate) method: &'static str,
    /// The members of its parameters as JSON text.
    pub(crate) params: Option<String>,
}

/// Writes questions as an object; nothing if there are none. Returns whether there are some.
pub(super) fn write_questions<'a>(
    questions: impl Iterator<Item = &'a Question>,
    out: &mut Vec<u8>,
) -> bool {
    let mut has_some = false;
    for (question, params) in questions.filter_map(|it| Some((it, it.params.as_ref()?))) {
        out.push(if has_some { b',' } else { b'{' });
        has_some = true;
        write_json(out, &question.key);
        out.extend_from_slice(b":{\"method\":\"");
        out.extend_from_slice(question.method.as_bytes());
        out.extend_from_slice(b"\",\"params\":{");
        out.extend_from_slice(params.as_bytes());
        out.extend_from_slice(b"}}");
    }
    if has_some {
        out.push(b'}');
    }
    has_some
}
