//! The answer to a call, in the form of each revision.

use serde_json::{Map, Value};

use super::state::Session;
use crate::mcp::call::{CallResult, Outcome};
use crate::mcp::link::CallId;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{Profile, Revision, SERVER_INFO, Write, write_json};

impl Session {
    /// Answers a call that is no longer in flight, and withdraws its questions.
    pub(super) fn answer(
        &mut self,
        call: &CallId,
        revision: Revision,
        result: &CallResult,
        out: &mut Outbox,
    ) {
        self.questions.withdraw_all_of(call, out);
        let (id, profile) = (&call.id, revision.profile());
        match result {
            Ok(Outcome::Complete(reply)) => out.result(id, Some(call), revision, &mut |out| {
                self.complete(profile, reply.meta(), out, &mut |out| reply.write(profile, out));
            }),
            Ok(Outcome::InputRequired(members)) => {
                out.result(id, Some(call), revision, &mut |out| {
                    self.partial("input_required", members, out);
                });
            }
            Ok(Outcome::Task(members)) => {
                out.result(id, Some(call), revision, &mut |out| self.partial("task", members, out));
            }
            Err(error) => {
                out.error(id, Some(call), revision, &error.clone().within(profile));
            }
        }
    }

    /// The members of a complete result; `write` writes those of its kind.
    pub(super) fn complete(
        &self,
        profile: &Profile,
        meta: Option<&Map<String, Value>>,
        out: &mut Vec<u8>,
        write: Write<'_>,
    ) {
        let start = out.len();
        if profile.has_typed_results {
            out.extend_from_slice(b"\"resultType\":\"complete\",");
        }
        let before = out.len();
        write(out);
        if out.len() == before && before > start {
            // Of a result without members nothing follows the comma.
            out.pop();
        }
        match meta {
            Some(meta) => {
                let mut meta = meta.clone();
                if profile.has_typed_results {
                    let info = String::from_utf8_lossy(&self.registry.server().info_json);
                    meta.insert(SERVER_INFO.into(), info.parse().unwrap_or_default());
                }
                out.extend_from_slice(if out.len() > start {
                    b",\"_meta\":"
                } else {
                    b"\"_meta\":"
                });
                write_json(out, &meta);
            }
            None if profile.has_typed_results => self.write_server_info(out),
            None => {}
        }
    }

    /// The members of an incomplete result, which only revisions with typed results have.
    fn partial(&self, kind: &str, members: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\"resultType\":");
        write_json(out, kind);
        if !members.is_empty() {
            out.push(b',');
            out.extend_from_slice(members.as_bytes());
        }
        self.write_server_info(out);
    }

    /// `,"_meta":{…}` with the description of this server.
    fn write_server_info(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
        out.extend_from_slice(&self.registry.server().info_json);
        out.push(b'}');
    }
}
