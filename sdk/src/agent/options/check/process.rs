//! Checks of the environment and the limits.

use std::ffi::OsStr;
use std::time::Duration;

use super::complaints::Complaints;
use crate::agent::options::AgentOptions;
use crate::agent::options::arg::LONGEST;

pub(super) fn check(options: &AgentOptions, complaints: &mut Complaints) {
    for (name, value) in &options.process.env.changes {
        check_variable(name, value.as_deref(), complaints);
    }
    if let Some(app) = &options.process.client_app {
        let is_label = !app.trim().is_empty() && !app.contains(char::is_control);
        complaints.when(!is_label, "client_app: it is a line of text");
    }
    let limits = &options.limits;
    complaints.when(limits.max_line == 0, "max_line: at least 1 byte is needed");
    complaints.when(limits.max_unread == 0, "max_unread: at least 1 byte is needed");
    for (setter, timeout) in [
        ("control_timeout", limits.control_timeout),
        ("initialize_timeout", limits.initialize_timeout),
    ] {
        if timeout == Duration::ZERO {
            complaints.add(format!("{setter}: nothing can be answered in no time"));
        }
    }
}

/// The value may be a secret, so it is not printed.
fn check_variable(name: &OsStr, value: Option<&OsStr>, complaints: &mut Complaints) {
    let mut add = |complaint: &str| complaints.add(format!("env {name:?}: {complaint}"));
    let (bytes, value) = (name.as_encoded_bytes(), value.map(OsStr::as_encoded_bytes));
    let length = bytes.len() + value.map_or(0, <[u8]>::len);
    for (is_wrong, complaint) in [
        (bytes.is_empty(), "the name is empty"),
        (bytes.contains(&b'='), "the name has a `=`"),
        (bytes.contains(&0), "the name has a zero byte"),
        (value.is_some_and(|value| value.contains(&0)), "the value has a zero byte"),
    ] {
        if is_wrong {
            add(complaint);
        }
    }
    if value.is_some() && length > LONGEST {
        add(&format!(
            "name and value have {length} bytes, more than the {LONGEST} that a variable may have"
        ));
    }
}
