//! `_meta` of a request, and the reserved keys in it.

use super::is_id;
use crate::scan::{Members, unescape};

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";

/// The raw values of the keys that the protocol defines.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Meta<'a> {
    /// The whole object.
    pub(crate) text: Option<&'a str>,
    pub(crate) progress_token: Option<&'a str>,
    pub(crate) protocol_version: Option<&'a str>,
    pub(crate) client_capabilities: Option<&'a str>,
    pub(crate) client_info: Option<&'a str>,
    pub(crate) log_level: Option<&'a str>,
}

impl<'a> Meta<'a> {
    /// Reads `_meta`; a value that is not an object reads as empty.
    pub(crate) fn read(text: Option<&'a str>) -> Self {
        let mut meta = Self::default();
        let Some(mut members) = text.and_then(|text| Members::of(text).ok()) else { return meta };
        meta.text = text;
        while let Ok(Some(key)) = members.key() {
            let Ok(value) = members.value() else { break };
            match &*unescape(key) {
                "progressToken" => meta.progress_token = Some(value).filter(|value| is_id(value)),
                PROTOCOL_VERSION => meta.protocol_version = Some(value),
                CLIENT_CAPABILITIES => meta.client_capabilities = Some(value),
                CLIENT_INFO => meta.client_info = Some(value),
                LOG_LEVEL => meta.log_level = Some(value),
                _ => {}
            }
        }
        meta
    }

    /// A request with either of these keys belongs to the modern era, whatever its method.
    pub(crate) fn names_its_revision(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }
}
