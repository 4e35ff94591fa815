//! The result of a `prompts/get`, in the form of each revision.

use super::output::PromptResult;
use crate::mcp::call::{Ended, Outcome, Reply};
use crate::mcp::protocol::{ErrorObject, Profile, PromptMessage, write_block, write_json};

/// The result that a prompt has returned, described at least as the prompt is.
#[derive(Debug)]
pub(crate) struct PromptReply(pub(super) PromptResult);

impl PromptReply {
    /// The end of the work of a prompt.
    #[inline]
    pub(crate) fn ended(returned: Result<PromptResult, ErrorObject>) -> Ended {
        Ended(match returned {
            Ok(result) => Ok(Outcome::Complete(Box::new(Self(result)))),
            Err(error) => Err(error.into()),
        })
    }
}

impl Reply for PromptReply {
    #[inline]
    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        let Self(PromptResult { messages, description }) = self;
        if let Some(description) = description.as_deref().filter(|text| !text.is_empty()) {
            out.extend_from_slice(b"\"description\":");
            write_json(out, description);
            out.push(b',');
        }
        out.extend_from_slice(b"\"messages\":[");
        for (at, PromptMessage { role, content }) in messages.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",{\"role\":" } else { b"{\"role\":" });
            write_json(out, role);
            out.extend_from_slice(b",\"content\":");
            write_block(out, content, profile);
            out.push(b'}');
        }
        out.push(b']');
    }
}
