use std::path::{Path, PathBuf};
use std::process::Command;

use async_nats::{ConnectOptions, Subscriber, jetstream};

use super::scene::SILENCE;
use crate::cli::Folder;
use crate::peers::on_path;
use crate::replicas::port;
use crate::stores::Server;

/// What it says when it takes connections.
const READY: &str = "is ready";

/// A server of NATS that keeps its queues in a folder.
pub(super) struct Nats {
    server: Server,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Nats {
    /// `None` if none is installed.
    pub(super) fn start(folder: &Folder) -> Option<Self> {
        let (program, port) = (on_path("nats-server")?, port::free());
        let folder = folder.path().join("nats");
        let server = Server::start(&mut command(&program, &folder, port), READY);
        Some(Self { server, program, folder, port })
    }

    pub(super) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// With as much time for its answers as a test has.
    pub(super) async fn jetstream(&self) -> jetstream::Context {
        let options = ConnectOptions::new().connection_timeout(SILENCE);
        let mut context = jetstream::new(options.connect(self.url()).await.unwrap());
        context.set_timeout(SILENCE);
        context
    }

    /// What is said on a subject from now on.
    pub(super) async fn hear(&self, subject: &'static str) -> Subscriber {
        let queue = self.jetstream().await;
        let heard = queue.client().subscribe(subject).await.unwrap();
        // The server knows of it once it has answered anything. What others say before is not
        // heard.
        queue.get_stream("NONE").await.unwrap_err();
        heard
    }

    pub(super) fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts it again, at the same port, with what it has kept.
    pub(super) fn restart(&mut self) {
        self.server = Server::start(&mut command(&self.program, &self.folder, self.port), READY);
    }
}

fn command(program: &Path, folder: &Path, port: u16) -> Command {
    let mut command = Command::new(program);
    command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]);
    command.arg(folder).env_clear();
    command
}
