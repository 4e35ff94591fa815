//! The result of a request outside of the protocol.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::mcp::call::{Ended, Outcome, Reply};
use crate::mcp::protocol::{ErrorObject, Profile, write_json};

/// The members of the result, and its `_meta`.
pub(super) struct CustomReply {
    members: Map<String, Value>,
    meta: Option<Map<String, Value>>,
}

impl CustomReply {
    /// The end of work with this result, which must be an object; null is an empty one.
    pub(super) fn ended(result: &impl Serialize) -> Ended {
        let members = match serde_json::to_value(result) {
            Ok(Value::Object(members)) => members,
            Ok(Value::Null) => Map::new(),
            Ok(_) => return not_sent("it is not a JSON object"),
            Err(error) => return not_sent(&error.to_string()),
        };
        let meta = members.get("_meta").and_then(Value::as_object).cloned();
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
        let before = out.len();
        for (key, value) in &self.members {
            // The session writes these two, where the revision has them.
            if key == "_meta" || key == "resultType" {
                continue;
            }
            if out.len() > before {
                out.push(b',');
            }
            write_json(out, key);
            out.push(b':');
            write_json(out, value);
        }
    }

    fn meta(&self) -> Option<&Map<String, Value>> {
        self.meta.as_ref()
    }
}
