//! The handshake of the legacy era and the discovery of the modern one.

use std::sync::Arc;

use super::calls::log_level;
use super::state::Session;
use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, Offers, Profile, Request, Revision, write_json};
use crate::scan;

/// The most bytes of what a client says of itself, which its session keeps.
const MAX_CLIENT: usize = 64 * 1024;

impl Session {
    /// An unknown version gets a supported one as the counter-offer, as MCP demands. A second
    /// handshake is treated like the first.
    pub(super) fn initialize(
        &mut self,
        request: &Request<'_>,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let version = request.params.get("protocolVersion").and_then(scan::string);
        let version = version
            .ok_or_else(|| ErrorObject::invalid_params("`protocolVersion` must be a string"))?;
        let client = request.params.get("clientInfo");
        let capabilities = request.params.get("capabilities");
        let length = client.map_or(0, str::len) + capabilities.map_or(0, str::len);
        if length > MAX_CLIENT {
            let message = format!(
                "`clientInfo` and `capabilities` have {length} bytes, of which the server keeps \
                 {MAX_CLIENT} at most"
            );
            return Err(ErrorObject::invalid_params(message));
        }
        self.legacy = Revision::negotiate(&version);
        let connection = Arc::make_mut(&mut self.connection);
        connection.client = client.map(Into::into);
        if !self.assumes_client {
            connection.capabilities = capabilities.map(Into::into);
        }
        let profile = self.legacy.profile();
        out.result(&request.id, None, self.legacy, &mut |out| {
            out.extend_from_slice(b"\"protocolVersion\":");
            write_json(out, profile.version);
            self.write_capabilities(self.registry.server().offers(), profile, out);
            out.extend_from_slice(b",\"serverInfo\":");
            write_json(out, &self.registry.server().info.within(profile));
            self.write_instructions(out);
        });
        Ok(())
    }

    pub(super) fn discover(&mut self, request: &Request<'_>, revision: Revision, out: &mut Outbox) {
        let (profile, server) = (revision.profile(), self.registry.server());
        let offers = Offers { tasks: self.has_tasks(), ..server.offers() };
        out.result(&request.id, None, revision, &mut |out| {
            self.complete(profile, None, out, &mut |out| {
                out.extend_from_slice(b"\"supportedVersions\":");
                write_json(out, &Revision::of_requests());
                self.write_capabilities(offers, profile, out);
                self.write_instructions(out);
                server.caching.write(profile, out);
            });
        });
    }

    pub(super) fn set_log_level(
        &mut self,
        request: &Request<'_>,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let level = log_level(request.params.get("level").unwrap_or_default())?;
        Arc::make_mut(&mut self.connection).log_level = level;
        out.result(&request.id, None, self.legacy, &mut |_| {});
        Ok(())
    }

    /// The client is ready for notifications.
    pub(super) fn initialized(&mut self) {
        self.is_initialized = true;
        self.hear_changes();
    }

    /// From now on the registry notifies the session of changes. Not earlier: while the owner of
    /// the session is being constructed, `link` cannot be upgraded yet, so the registry would take
    /// it for dead and forget it.
    pub(super) fn hear_changes(&mut self) {
        if let Some(link) = self.connection.link.clone().filter(|_| !self.hears_changes) {
            self.hears_changes = true;
            self.registry.subscribe(link);
        }
    }

    fn write_capabilities(&self, offers: Offers, profile: &Profile, out: &mut Vec<u8>) {
        let mut all = offers.capabilities(profile, !self.is_brief);
        let experimental = &self.registry.server().experimental;
        if !experimental.is_empty() {
            all["experimental"] = experimental.clone().into();
        }
        if profile.has_extensions {
            for (id, settings) in &self.registry.server().declared {
                all["extensions"][id] = settings.clone();
            }
        }
        out.extend_from_slice(b",\"capabilities\":");
        write_json(out, &all);
    }

    fn write_instructions(&self, out: &mut Vec<u8>) {
        if let Some(instructions) = &self.registry.server().instructions {
            out.extend_from_slice(b",\"instructions\":");
            write_json(out, instructions);
        }
    }
}
