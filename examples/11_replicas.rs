//! One of several replicas of a server behind a balancer.
//!
//! `11_replicas/` has the files that run three of them with Redis and nginx: see the page of the
//! examples. Alone it is a server program like the others.

use std::process::ExitCode;
use std::{env, fs};

use toolwright::http::Sessions;
use toolwright::{BuildError, ToolRegistry, tool, tools};
use toolwright_stdio::Options;

/// Name the replica that answers.
#[tool(read_only)]
async fn replica() -> String {
    env::var("HOSTNAME").unwrap_or_else(|_| "the only one".into())
}

fn registry() -> Result<ToolRegistry, BuildError> {
    ToolRegistry::builder("replicas").tools(tools![replica]).build()
}

/// Replicas keep nothing for each other. What they have in common comes from their environment.
fn options() -> Result<Options, String> {
    let mut options = Options::default();
    // The name by which clients address the balancer.
    options.http.allowed_hosts.extend(env::var("PUBLIC_HOST"));
    // With the same key each replica goes on with the sessions of the others.
    if let Some(path) = env::var_os("SESSION_KEY_FILE") {
        let key = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let key = key.try_into().map_err(|_| "the session key must have 32 bytes")?;
        let mut sessions = Sessions::default();
        sessions.key = Some(key);
        options.http.sessions = Some(sessions);
    }
    Ok(options)
}

fn main() -> ExitCode {
    match options() {
        Ok(options) => toolwright_stdio::main_with(options, registry),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
