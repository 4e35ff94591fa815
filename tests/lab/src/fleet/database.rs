use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rustix::process::{Signal, geteuid};

use super::port;
use super::server::Server;
use crate::leashed::leashed;

/// A server of PostgreSQL with its usual settings, which also counts statements.
pub struct Database {
    pub server: Server,
    pub parameters: String,
    /// The same for a database beside the fleet's.
    beside: String,
    programs: PathBuf,
}

impl Database {
    pub fn start(data: &Path) -> Result<Self> {
        let programs = programs()?;
        fs::create_dir(data)?;
        let output = as_user(&programs.join("initdb"), data)?
            .args(["--auth=trust", "--username=fleet", "--encoding=UTF8", "--locale=C"])
            .args(["--no-sync", "--pgdata"])
            .arg(data)
            .output()?;
        ensure!(output.status.success(), "initdb: {}", String::from_utf8_lossy(&output.stderr));
        let port = port::free();
        let mut command = as_user(&programs.join("postgres"), data)?;
        command
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "unix_socket_directories="])
            .args(["-c", "shared_preload_libraries=pg_stat_statements", "-D"])
            .arg(data);
        let (server, _) = Server::ready(&mut command, "ready to accept", Signal::INT)?;
        let to = |name| format!("host=127.0.0.1 port={port} user=fleet dbname={name}");
        let database =
            Self { server, parameters: to("postgres"), beside: to("template1"), programs };
        database.counted("CREATE EXTENSION pg_stat_statements")?;
        Ok(database)
    }

    /// A figure of the fleet's database.
    pub fn number(&self, query: &str) -> Result<f64> {
        let text = self.ask(&self.parameters, query)?;
        text.parse().with_context(|| format!("{query} gives {text}"))
    }

    /// What the server has counted, asked for in another database, so that the query itself is not
    /// among the fleet's.
    pub fn counted(&self, query: &str) -> Result<String> {
        self.ask(&self.beside, query)
    }

    fn ask(&self, database: &str, query: &str) -> Result<String> {
        let output = Command::new(self.programs.join("psql"))
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--dbname", database])
            .args(["--command", query])
            .env_clear()
            .output()
            .context("running psql")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "psql: {errors}");
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

/// The newest that the distribution has.
fn programs() -> Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let numbered = versions.filter_map(|version| {
        Some((version.file_name().to_str()?.parse::<f64>().ok()?, version.path().join("bin")))
    });
    let newest = numbered.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, bin)| bin);
    newest.context("PostgreSQL is not installed; see tests/peers/stores/install.sh")
}

/// A program that ends when the lab does, as `leashed` makes it. PostgreSQL refuses to run as root,
/// and the system forgets the leash of a process that becomes another user's, so `setpriv` puts it
/// on then.
fn as_user(program: &Path, data: &Path) -> Result<Command> {
    if !geteuid().is_root() {
        let mut command = leashed(program);
        command.env_clear();
        return Ok(command);
    }
    let id = Command::new("id").args(["-u", "postgres"]).output()?;
    let id: u32 = String::from_utf8(id.stdout)?.trim().parse().context("there is no postgres")?;
    chown(data, Some(id), None)?;
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=INT"]);
    command.arg(program);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).current_dir(data);
    Ok(command)
}
