//! The result of a request outside of the protocol.

use serde::Serialize;
use serde_json::{Map, Value};

use super::members::members_that;
use crate::mcp::call::{Ended, Outcome, Reply};
use crate::mcp::protocol::{ErrorObject, Profile, object_json};
use crate::scan::{member, on_one_line};

/// The JSON text of the members of the result, with all digits of their numbers, and its `_meta`.
pub(super) struct CustomReply {
    members: String,
    meta: Option<Map<String, Value>>,
}

impl CustomReply {
    /// The end of work with this result, which must be an object; null is an empty one.
    pub(super) fn ended(result: &impl Serialize) -> Ended {
        let object = match object_json(result) {
            Ok(text) => on_one_line(text),
            Err(why) => return not_sent(&why),
        };
        let meta = member(&object, "_meta").and_then(|meta| serde_json::from_str(meta).ok());
        // The session writes these two, where the revision has them.
        let members = members_that(&object, |key| key != "_meta" && key != "resultType");
        let members = members.as_deref().and_then(|it| it.strip_prefix('{')?.strip_suffix('}'));
        let members = members.unwrap_or_default().to_owned();
        Ended(Ok(Outcome::Complete(Box::new(Self { members, meta }))))
    }
}

#[inline]
fn not_sent(why: &str) -> Ended {
    Ended::refused(ErrorObject::internal(format!("The result cannot be sent: {why}.")))
}

impl Reply for CustomReply {
    #[inline]
    fn write(&self, _: &Profile, out: &mut Vec<u8>) {
        out.extend_from_slice(self.members.as_bytes());
    }

    fn meta(&self) -> Option<&Map<String, Value>> {
        self.meta.as_ref()
    }
}
