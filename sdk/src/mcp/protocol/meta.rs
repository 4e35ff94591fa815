//! `_meta` of a request, and the reserved keys in it.

use super::is_id;
use crate::scan::{self, Malformed, Members, must_escape};

/// Names of keys, and `LIKELY`: those of requests as [`Members::key_among`] takes them.
macro_rules! keys {
    ($($name:ident = $key:literal;)*) => {
        $(pub(crate) const $name: &str = $key;)*
        const LIKELY: &[&str] = &[$(concat!("\"", $key, "\":")),*];
    };
}

// In the order in which most clients write them.
keys! {
    PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
    CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
    CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
    PROGRESS_TOKEN = "progressToken";
    LOG_LEVEL = "io.modelcontextprotocol/logLevel";
}

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
    /// A key has escapes or control characters, so that the grammar of the object is still to be
    /// checked.
    pub(crate) has_unread: bool,
}

impl<'a> Meta<'a> {
    /// Reads the object that `text` begins with. As every request of 2026-07-28 has one, its parts
    /// are found and their grammar is checked in the same pass.
    pub(crate) fn leading(text: &'a str) -> Result<Self, Malformed> {
        let mut meta = Self::default();
        let mut members = Members::of(text)?;
        while let Some(key) = members.key_among(LIKELY)? {
            let value = match members.plain() {
                Some(value) => value,
                None => Some(members.value()?).filter(|it| scan::is_json(it)).ok_or(Malformed)?,
            };
            match key {
                PROTOCOL_VERSION => meta.protocol_version = Some(value),
                CLIENT_INFO => meta.client_info = Some(value),
                CLIENT_CAPABILITIES => meta.client_capabilities = Some(value),
                PROGRESS_TOKEN => meta.progress_token = Some(value).filter(|value| is_id(value)),
                LOG_LEVEL => meta.log_level = Some(value),
                _ => meta.has_unread |= must_escape(key.as_bytes(), 0).is_some(),
            }
        }
        meta.text = text.get(..members.position());
        Ok(meta)
    }

    /// A request with either of these keys belongs to the modern era, whatever its method.
    pub(crate) fn names_its_revision(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }
}

#[cfg(test)]
mod tests;
