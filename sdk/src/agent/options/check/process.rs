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
    complaints.when(
        limits.control_timeout == Duration::ZERO,
        "control_timeout: nothing can be answered in no time",
    );
    complaints.when(
        limits.initialize_timeout == Duration::ZERO,
        "initialize_timeout: nothing can be answered in no time",
    );
}

/// The value may be a secret, so it is not printed.
fn check_variable(name: &OsStr, value: Option<&OsStr>, complaints: &mut Complaints) {
    let mut add = |complaint: &str| complaints.add(format!("env {name:?}: {complaint}"));
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() {
        add("the name is empty");
    }
    if bytes.contains(&b'=') {
        add("the name has a `=`");
    }
    if bytes.contains(&0) {
        add("the name has a zero byte");
    }
    let Some(value) = value else { return };
    if value.as_encoded_bytes().contains(&0) {
        add("the value has a zero byte");
    }
    if name.len() + value.len() > LONGEST {
        add(&format!(
            "name and value have {} bytes, more than the {LONGEST} that a variable may have",
            name.len() + value.len()
        ));
    }
}
