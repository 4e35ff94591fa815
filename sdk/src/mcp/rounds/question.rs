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
pub(super) fn write_questions(questions: &[&Question], out: &mut Vec<u8>) -> bool {
    let mut has_some = false;
    for question in questions {
        let Some(params) = &question.params else { continue };
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
