//! A transport of your own: Claude runs on another machine, and its tools run here.
//!
//! Run with `cargo run --example 24_over_ssh -- user@host`.

use std::error::Error;
use std::ffi::OsStr;

use toolwright::agent::transport::{Connection, Launch, Process, Transport};
use toolwright::agent::{AgentOptions, ConnectError, async_trait, query_with};
use toolwright::{ToolRegistry, tool, tools};

/// The `claude` program of another machine, which ssh starts.
struct Ssh(String);

#[async_trait]
impl Transport for Ssh {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let mut command = String::new();
        if let Some(folder) = &launch.cwd {
            command += &format!("cd {} && ", quoted(folder.as_os_str()));
        }
        command += "exec env";
        for (name, value) in &launch.env {
            let value = value.as_deref().unwrap_or_default(); // The other machine may have it set.
            command += &format!(" {}={}", name.display(), quoted(value));
        }
        command += " claude";
        for arg in &launch.args {
            command += &format!(" {}", quoted(arg));
        }
        let mut ssh = Launch::default();
        ssh.args = ["ssh".into(), "-T".into(), self.0.into(), command.into()].into();
        Box::new(Process::new().cli_path("/usr/bin/env")).connect(ssh).await
    }
}

/// One word for a shell.
fn quoted(word: &OsStr) -> String {
    format!("'{}'", word.display().to_string().replace('\'', r"'\''"))
}

/// Get the folder in which your tools run.
#[tool(read_only)]
fn folder() -> std::io::Result<String> {
    Ok(std::env::current_dir()?.display().to_string())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let host = std::env::args().nth(1).ok_or("Which machine? For example: user@host")?;
    let here = ToolRegistry::builder("here").tools(tools![folder]).build()?;
    let options = AgentOptions::builder().allow_registry(&here).mcp_server(here).build()?;
    let result = query_with(Ssh(host), "Where do your tools run?", options).await?.finish().await?;
    println!("{}", result.text());
    Ok(())
}
