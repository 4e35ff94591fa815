//! Getting to know each other: the handshake of the legacy era, discovery in the modern one, and
//! the end of both.

use super::{Session, Subscription};
use crate::mcp::link::CallId;
use crate::mcp::output::ToolResult;
use crate::mcp::protocol::{
    ErrorObject, LoggingLevel, Request, Revision, capabilities, write_json, write_result,
};
use crate::scan;

impl Session {
    /// A version that is not known gets another one as a counter-offer, whatever it is. A second
    /// handshake is as good as the first.
    pub(super) fn initialize(
        &mut self,
        request: &Request<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorObject> {
        let version = request.params.get("protocolVersion").and_then(scan::string);
        let version = version
            .ok_or_else(|| ErrorObject::invalid_params("`protocolVersion` must be a string"))?;
        self.legacy.revision = Revision::negotiate(&version);
        self.legacy.client = request.params.get("clientInfo").map(Into::into);
        let server = self.registry.server();
        write_result(out, request.id, |out| {
            out.extend_from_slice(b"\"protocolVersion\":");
            write_json(out, self.legacy.revision.as_str());
            out.extend_from_slice(b",\"capabilities\":");
            write_json(out, &capabilities());
            out.extend_from_slice(b",\"serverInfo\":");
            out.extend_from_slice(&server.info_json);
            self.write_instructions(out);
        });
        Ok(())
    }

    pub(super) fn discover(&mut self, request: &Request<'_>, out: &mut Vec<u8>) {
        write_result(out, request.id, |out| {
            out.extend_from_slice(b"\"resultType\":\"complete\",\"supportedVersions\":");
            write_json(out, &Revision::MODERN.map(Revision::as_str));
            out.extend_from_slice(b",\"capabilities\":");
            write_json(out, &capabilities());
            self.write_instructions(out);
            out.extend_from_slice(b",\"ttlMs\":0,\"cacheScope\":\"private\"");
            self.write_server_info(out);
        });
    }

    pub(super) fn set_log_level(
        &mut self,
        request: &Request<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorObject> {
        self.legacy.log_level =
            request.params.get("level").and_then(log_level).ok_or_else(bad_level)?;
        write_result(out, request.id, |_| {});
        Ok(())
    }

    /// Answers a call that took longer than it may, unless it was cancelled or answered before. The
    /// host then stops it.
    pub fn time_out(&mut self, call: &CallId, out: &mut Vec<u8>) {
        if let Some(entry) = self.in_flight.take(call) {
            let limit = entry.tool.definition().timeout.unwrap_or_default();
            let text = format!(
                "The tool `{}` was stopped: it did not finish within {limit:?}.",
                entry.tool.name()
            );
            self.write_call_result(
                call.id.as_json(),
                entry.revision,
                None,
                &ToolResult::error(text),
                out,
            );
        }
    }

    /// Ends the session: what is not answered yet is answered with an error result, subscriptions
    /// end. The host stops the calls.
    pub fn close(&mut self, out: &mut Vec<u8>) {
        for (id, entry) in self.in_flight.drain() {
            let text = format!(
                "The tool `{}` was stopped: the server is shutting down.",
                entry.tool.name()
            );
            self.write_call_result(
                id.as_json(),
                entry.revision,
                None,
                &ToolResult::error(text),
                out,
            );
        }
        for Subscription { id, .. } in std::mem::take(&mut self.subscriptions) {
            write_result(out, id.as_json(), |out| {
                out.extend_from_slice(b"\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":");
                out.extend_from_slice(id.as_json().as_bytes());
                out.extend_from_slice(b",\"io.modelcontextprotocol/serverInfo\":");
                out.extend_from_slice(&self.registry.server().info_json);
                out.push(b'}');
            });
        }
    }

    fn write_instructions(&self, out: &mut Vec<u8>) {
        if let Some(instructions) = &self.registry.server().instructions {
            out.extend_from_slice(b",\"instructions\":");
            write_json(out, instructions);
        }
    }
}

/// The level that a raw value names.
pub(super) fn log_level(raw: &str) -> Option<LoggingLevel> {
    serde_json::from_str(raw).ok()
}

pub(super) fn bad_level() -> ErrorObject {
    ErrorObject::invalid_params(
        "the log level must be one of debug, info, notice, warning, error, critical, alert, emergency",
    )
}
