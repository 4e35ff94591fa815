//! What the modern era demands of the `_meta` of each request.

use std::borrow::Cow;

use serde_json::json;

use super::{
    CLIENT_CAPABILITIES, Eras, ErrorObject, Meta, PROTOCOL_VERSION, Profile, Request, Revision,
};
use crate::scan;

impl<'a> Meta<'a> {
    /// The version that a request names. 2026-07-28 demands that it names the client's capabilities
    /// too.
    pub(crate) fn version(&self) -> Result<Cow<'a, str>, ErrorObject> {
        let version = self.protocol_version.and_then(scan::string);
        let capabilities = self.client_capabilities.filter(|given| given.starts_with('{'));
        match (version, capabilities) {
            (Some(version), Some(_)) => Ok(version),
            (version, capabilities) => {
                let missing = match (version, capabilities) {
                    (None, None) => &format!("{PROTOCOL_VERSION} and {CLIENT_CAPABILITIES}"),
                    (None, _) => PROTOCOL_VERSION,
                    _ => CLIENT_CAPABILITIES,
                };
                let message = format!("`params._meta` must have {missing}");
                Err(ErrorObject::invalid_params(message))
            }
        }
    }
}

impl Eras {
    /// True if a request belongs to the modern era.
    pub(crate) fn is_modern(self, method: &str, meta: &Meta<'_>) -> bool {
        let claims = || meta.names_its_revision() || method == "server/discover";
        self.modern() && (!self.legacy() || claims())
    }

    /// The error for a handshake where there is none names the versions that there are.
    pub(crate) fn refuse_handshake(self, request: &Request<'_>) -> Result<(), ErrorObject> {
        let Request { method, params, .. } = request;
        if self.legacy() || method != "initialize" || params.meta.names_its_revision() {
            return Ok(());
        }
        let requested = params.get("protocolVersion").and_then(scan::string);
        Err(ErrorObject::unsupported(&requested.unwrap_or_default()))
    }
}

impl Revision {
    /// The revision of a request that names `version`.
    pub(crate) fn for_request(version: &str) -> Result<Self, ErrorObject> {
        Self::of_request(version).ok_or_else(|| ErrorObject::unsupported(version))
    }
}

impl ErrorObject {
    /// No request may name this version.
    pub(crate) fn unsupported(requested: &str) -> Self {
        let data = json!({"supported": Revision::of_requests(), "requested": requested});
        Self::new(Self::UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version")
            .with_data(data)
    }

    /// The error in the form of a revision.
    pub(crate) fn within(mut self, profile: &Profile) -> Self {
        if self.code == Self::RESOURCE_NOT_FOUND && !profile.has_not_found_code {
            self.code = Self::INVALID_PARAMS;
        }
        self
    }
}
