//! The result of a `prompts/get`, in the form of each revision.

use std::borrow::Cow;

use crate::mcp::call::{Ended, Outcome, Reply};
use crate::mcp::protocol::{ErrorObject, Profile, PromptMessage, write_block, write_json};

/// The messages that a prompt has returned.
#[derive(Debug)]
pub(crate) struct PromptReply {
    pub(super) messages: Vec<PromptMessage>,
    /// That of the prompt.
    pub(super) description: Cow<'static, str>,
}

impl PromptReply {
    /// The end of the work of a prompt.
    #[inline]
    pub(crate) fn ended(returned: Result<Vec<PromptMessage>, ErrorObject>) -> Ended {
        Ended(match returned {
            Ok(messages) => {
                Ok(Outcome::Complete(Box::new(Self { messages, description: "".into() })))
            }
            Err(error) => Err(error.into()),
        })
    }
}

impl Reply for PromptReply {
    #[inline]
    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        if !self.description.is_empty() {
            out.extend_from_slice(b"\"description\":");
            write_json(out, &*self.description);
            out.push(b',');
        }
        out.extend_from_slice(b"\"messages\":[");
        for (at, PromptMessage { role, content }) in self.messages.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",{\"role\":" } else { b"{\"role\":" });
            write_json(out, role);
            out.extend_from_slice(b",\"content\":");
            write_block(out, content, profile);
            out.push(b'}');
        }
        out.push(b']');
    }
}
