//! Which hosts a request may name, and which origins may send one.

use std::net::Ipv6Addr;

use http::header::{HOST, ORIGIN};
use http::request::Parts;
use http::{HeaderMap, StatusCode, Version};

use super::refusal::Refusal;
use crate::mcp::words::has_only;

/// Names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The hosts and origins that may use a service.
#[derive(Debug, Clone)]
pub(super) struct Hosts {
    hosts: Vec<String>,
    origins: Vec<String>,
}

impl Hosts {
    pub(super) fn new(hosts: &[String], origins: &[String]) -> Self {
        let origins = origins.iter().map(|origin| as_sent(&origin.to_ascii_lowercase())).collect();
        // Other servers want the port in their lists, which counts for nothing here.
        let host = |host: &String| match host.parse::<Ipv6Addr>() {
            Ok(_) => format!("[{}]", host.to_ascii_lowercase()),
            Err(_) => name(host).unwrap_or(host).to_ascii_lowercase(),
        };
        for host in hosts.iter().filter(|host| !is_host(host)) {
            tracing::warn!(host, "no request names this host, which `allowed_hosts` has");
        }
        Self { hosts: hosts.iter().map(host).collect(), origins }
    }

    pub(super) fn check(&self, head: &Parts) -> Result<(), Refusal> {
        self.host(head)?;
        self.origin(&head.headers)
    }

    /// RFC 9112, section 3.2: one line `Host`, which no HTTP library that we know checks. What the
    /// target of the request names counts more.
    fn host(&self, head: &Parts) -> Result<(), Refusal> {
        let bad = |message| Err(Refusal::plain(StatusCode::BAD_REQUEST, message));
        let mut lines = head.headers.get_all(HOST).iter();
        let host = match (lines.next(), lines.next(), head.uri.authority()) {
            (_, Some(_), _) => return bad("the request has more than one `Host`"),
            (_, None, Some(authority)) => authority.as_str(),
            (Some(host), None, None) => host.to_str().unwrap_or_default(),
            (None, None, None) if head.version <= Version::HTTP_10 => return Ok(()),
            (None, None, None) => return bad("the request has no `Host`"),
        };
        if name(host).is_some_and(|name| self.is_allowed(name)) {
            return Ok(());
        }
        let message = format!(
            "the host {host:?} is not allowed; the server's option `allowed_hosts` can allow it"
        );
        Err(Refusal::plain(StatusCode::FORBIDDEN, message))
    }

    /// Browsers name the origin of a page that sends a request; other clients do not.
    fn origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let is_listed = self
                .origins
                .iter()
                .any(|listed| listed == "*" || listed.eq_ignore_ascii_case(origin));
            let host = origin.split_once("://").and_then(|(scheme, host)| {
                let is_web = ["http", "https"].iter().any(|web| web.eq_ignore_ascii_case(scheme));
                is_web.then(|| name(host)).flatten()
            });
            if !is_listed && !host.is_some_and(|host| self.is_allowed(host)) {
                let message = format!(
                    "the origin {origin:?} is not allowed; the server's option `allowed_origins` \
                     can allow it"
                );
                return Err(Refusal::plain(StatusCode::FORBIDDEN, message));
            }
        }
        Ok(())
    }

    fn is_allowed(&self, host: &str) -> bool {
        let is_host = |allowed: &str| allowed.eq_ignore_ascii_case(host);
        LOOPBACK.into_iter().any(is_host)
            || self.hosts.iter().any(|allowed| allowed == "*" || is_host(allowed))
    }
}

/// True if a request can name this host of `allowed_hosts`.
pub fn is_host(host: &str) -> bool {
    host == "*" || host.parse::<Ipv6Addr>().is_ok() || name(host).is_some()
}

/// An origin as browsers send it: an address of a page may have a slash at its end, or the usual
/// port.
fn as_sent(origin: &str) -> String {
    let origin = origin.strip_suffix('/').unwrap_or(origin);
    let port = if origin.starts_with("https:") { ":443" } else { ":80" };
    origin.strip_suffix(port).unwrap_or(origin).to_owned()
}

/// The name in `name`, `name:port` or `[address]:port`; nothing else may stand there.
fn name(authority: &str) -> Option<&str> {
    let end = match authority.starts_with('[') {
        true => authority.find(']')? + 1,
        false => authority.find(':').unwrap_or(authority.len()),
    };
    let (name, port) = authority.split_at_checked(end)?;
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_good = !name.is_empty()
        && has_only(name, b"-._[]:")
        && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port));
    is_good.then_some(name)
}
