use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, fs};

use toolwright::agent::sessions::{PostgresStore, SessionKey, SessionStore};
use toolwright::testing::store_conformance;
use toolwright_fleet::Database;

use super::server::{PATIENCE, Server};
use super::{entry, writers_do_not_disturb_each_other};
use crate::cli::Folder;
use crate::peers::installed;
use crate::replicas::port;

/// What it says when it takes connections.
const READY: &str = "ready to accept connections";

/// A server of PostgreSQL whose data is in a folder of its own.
pub(crate) struct Postgres {
    /// Before the folder, in which it writes.
    server: Server,
    folder: Folder,
    port: u16,
    programs: PathBuf,
    schemas: AtomicUsize,
}

impl Postgres {
    /// `None` when it is not installed, and then there is nothing to test.
    pub(crate) fn start() -> Option<Self> {
        let programs = programs()?;
        let (port, folder) = (port::free(), Folder::create());
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        let initialised = as_user(&programs.join("initdb"), &data)
            .args(["--auth=trust", "--no-sync", "--username=test", "--encoding=UTF8"])
            .args(["--locale=C", "--pgdata"])
            .arg(&data)
            .output()
            .unwrap();
        assert!(initialised.status.success(), "{initialised:?}");
        let server = Server::start(&mut command(&programs, &data, port), READY);
        let schemas = AtomicUsize::new(0);
        Some(Self { server, folder, port, programs, schemas })
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts it again, at the same port.
    pub(crate) fn restart(&mut self) {
        let mut command = command(&self.programs, &self.folder.path().join("data"), self.port);
        let since = Instant::now();
        // It refuses as long as processes of the one that was killed use its memory.
        self.server = loop {
            match Server::try_start(&mut command, READY) {
                Ok(server) => break server,
                Err(said) => assert!(said.contains("pre-existing shared memory"), "{said}"),
            }
            assert!(since.elapsed() < PATIENCE, "those processes go on");
        };
    }

    /// The parameters of a schema that nobody else has.
    pub(crate) fn schema(&self) -> String {
        let schema = format!("s{}", self.schemas.fetch_add(1, Ordering::Relaxed));
        let port = self.port;
        let whole = format!("host=127.0.0.1 port={port} user=test dbname=postgres");
        self.ask(&whole, &format!("CREATE SCHEMA {schema}"));
        format!("{whole} options='-csearch_path={schema}'")
    }

    /// The rows that a command gives, empty if it fails.
    pub(crate) fn ask(&self, parameters: &str, command: &str) -> String {
        let output = Command::new(self.programs.join("psql"))
            .args(["--no-psqlrc", "--tuples-only", "--no-align", "--dbname", parameters])
            .args(["--command", command])
            .env_clear()
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) async fn store(&self) -> PostgresStore {
        let store = PostgresStore::without_tls(self.schema());
        store.create_tables().await.unwrap();
        store
    }
}

fn command(programs: &Path, data: &Path, port: u16) -> Command {
    let mut command = as_user(&programs.join("postgres"), data);
    command.args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"]);
    command.args(["-c", "unix_socket_directories=", "-c", "fsync=off", "-D"]).arg(data);
    command
}

/// The newest that the distribution has.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let folders = versions.map(|version| version.unwrap().path().join("bin"));
    let newest = folders.max().unwrap_or_else(|| "/usr/lib/postgresql/bin".into());
    installed(newest.join("postgres"))?;
    Some(newest)
}

/// It refuses to run as root.
fn as_user(program: &Path, data: &Path) -> Command {
    if !rustix::process::geteuid().is_root() {
        let mut command = Command::new(program);
        command.env_clear();
        return command;
    }
    let id = Command::new("id").args(["-u", "postgres"]).output().unwrap();
    let id: u32 = String::from_utf8(id.stdout).unwrap().trim().parse().unwrap();
    chown(data, Some(id), None).unwrap();
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command.env_clear().env("PATH", env::var_os("PATH").unwrap()).current_dir(data);
    command
}

#[tokio::test]
async fn postgres_is_a_store() {
    let Some(postgres) = Postgres::start() else { return };
    store_conformance(async || postgres.store().await).await;
    let parameters = postgres.schema();
    PostgresStore::without_tls(&*parameters).create_tables().await.unwrap();
    let store = || -> Arc<dyn SessionStore> { Arc::new(PostgresStore::without_tls(&*parameters)) };
    writers_do_not_disturb_each_other(vec![store(), store(), store()]).await;
}

/// PostgreSQL has no zero byte in a text, and no long text in an index.
#[tokio::test]
async fn entries_with_ids_that_postgres_cannot_have_are_stored() {
    let Some(postgres) = Postgres::start() else { return };
    let (store, key) = (postgres.store().await, SessionKey::new("-work", "id"));
    // Without repetitions, which would be compressed.
    let long: String =
        (1..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string()).collect();
    let all = ["a", "b\0", &long, "c"].map(entry);
    store.append(&key, &all).await.unwrap();
    assert_eq!(store.load(&key).await.unwrap().unwrap(), all);
}

/// PostgreSQL may vacuum a large table for hours. Who waited for that to end would hold up all that
/// append after it.
#[tokio::test]
async fn the_tables_are_there_although_they_are_vacuumed() {
    let Some(postgres) = Postgres::start() else { return };
    let parameters = postgres.schema();
    PostgresStore::without_tls(&*parameters).create_tables().await.unwrap();
    let other = Database::at(&parameters).unwrap().connect(|| {}).await.unwrap();
    let vacuum = "BEGIN; LOCK TABLE toolwright_entries IN SHARE UPDATE EXCLUSIVE MODE";
    other.batch_execute(vacuum).await.unwrap();
    let without_patience = parameters.replace("options='", "options='-clock_timeout=1 ");
    PostgresStore::without_tls(without_patience).create_tables().await.unwrap();
}

#[tokio::test]
async fn a_store_without_postgres_says_so() {
    let store = PostgresStore::without_tls(format!("host=127.0.0.1 port={}", port::free()));
    let error = store.list_sessions("p").await.unwrap_err();
    assert!(error.to_string().starts_with("the session store failed: "), "{error}");
}
