//! Checks of MCP servers.

use std::collections::HashMap;
use std::time::Duration;

use super::complaints::Complaints;
use crate::agent::options::server::{Kind, McpServer};
use crate::mcp::words::has_only;

/// Names with a meaning in JavaScript. The CLI silently drops servers with some of them.
const RESERVED: [&str; 7] = [
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "constructor",
    "prototype",
];
/// The CLI ignores a shorter timeout.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(1);

pub(super) fn check(servers: &[McpServer], complaints: &mut Complaints) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    for server in servers {
        let name = server.name();
        let mut add = |complaint: &str| complaints.add(format!("mcp_server {name:?}: {complaint}"));
        if !is_name(name) {
            add("a name has 1 to 64 letters, digits, `_` and `-` of ASCII");
        } else if RESERVED.contains(&name) {
            add("the name is reserved");
        }
        let count = seen.entry(name).or_default();
        *count += 1;
        if *count == 2 {
            add("there is more than one of that name");
        }
        if server.timeout.is_some_and(|timeout| timeout < SHORTEST_TIMEOUT) {
            add("a timeout is at least 1 s");
        }
        server.misuses.iter().for_each(|misuse| add(misuse));
        if let Some(complaint) = unreachable(&server.kind) {
            add(complaint);
        }
    }
}

fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && has_only(name, b"_-")
}

fn unreachable(kind: &Kind) -> Option<&'static str> {
    match kind {
        Kind::InProcess(_) => None,
        Kind::Stdio { command, .. } if command.is_empty() => Some("the command is empty"),
        Kind::Stdio { command, .. } if command.to_str().is_none() => {
            Some("the command is no UTF-8, which JSON needs")
        }
        Kind::Stdio { command, args, env } => {
            let texts = command
                .to_str()
                .into_iter()
                .chain(args.iter().map(String::as_str))
                .chain(env.keys().map(String::as_str));
            let has_zero = texts
                .chain(env.values().filter_map(|value| value.as_str()))
                .any(|text| text.contains('\0'));
            match env.keys().any(|name| name.is_empty() || name.contains('=')) {
                true => Some("the name of a variable is empty or has a `=`"),
                false => {
                    has_zero.then_some("the command, an argument or a variable has a zero byte")
                }
            }
        }
        Kind::Remote { url, headers, .. } => {
            // The CLI expands `${NAME}`, so a URL may begin with it.
            let has_scheme = ["https://", "http://", "${"]
                .iter()
                .any(|start| url.len() > start.len() && url.starts_with(start));
            let is_broken = |text: &str| text.contains(['\r', '\n', '\0']);
            let has_bad_header = headers.iter().any(|(name, value)| {
                name.is_empty() || is_broken(name) || value.as_str().is_some_and(is_broken)
            });
            match has_scheme {
                false => Some("the URL begins neither with http:// nor with https://"),
                true => {
                    has_bad_header.then_some("a header has no name, or a line break or zero byte")
                }
            }
        }
    }
}
