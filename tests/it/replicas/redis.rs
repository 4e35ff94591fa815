use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{PATIENCE, port};
use crate::cli::Folder;
use crate::peers::on_path;

/// A Redis server whose data is in a folder of its own.
#[derive(Debug)]
pub(crate) struct Redis {
    port: u16,
    folder: Folder,
    /// It has written what it acknowledges.
    is_durable: bool,
    child: Child,
}

impl Redis {
    /// `None` when it is not installed, and then there is nothing to test.
    pub(crate) async fn start() -> Option<Self> {
        Self::start_with(false).await
    }

    /// One that loses nothing when it is killed.
    pub(crate) async fn start_durable() -> Option<Self> {
        Self::start_with(true).await
    }

    async fn start_with(is_durable: bool) -> Option<Self> {
        on_path("redis-server")?;
        let (port, folder) = (port::free(), Folder::create());
        let child = run(port, &folder, is_durable).await;
        Some(Self { port, folder, is_durable, child })
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    /// Removes what is stored under this key, which must exist.
    pub(crate) async fn remove(&self, key: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        stream.write_all(format!("DEL {key}\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        BufReader::new(stream).read_line(&mut answer).await.unwrap();
        assert_eq!(answer, ":1\r\n");
    }

    pub(crate) async fn kill(&mut self) {
        self.child.kill().await.unwrap();
    }

    /// Starts it again, at the same port.
    pub(crate) async fn restart(&mut self) {
        self.child = run(self.port, &self.folder, self.is_durable).await;
    }
}

/// A server that takes connections.
async fn run(port: u16, folder: &Folder, is_durable: bool) -> Child {
    let mut child = Command::new(on_path("redis-server").unwrap())
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1"])
        .args(["--save", "", "--appendonly", if is_durable { "yes" } else { "no" }])
        .args(["--appendfsync", "always", "--dir", "."])
        .env_clear()
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut log = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut said = String::new();
    while !said.contains("Ready to accept connections") {
        let line = timeout(PATIENCE, log.next_line()).await.expect("it says something");
        said += &line.unwrap().unwrap_or_else(|| panic!("it does not start: {said}"));
    }
    // It would wait if nobody read what it says.
    tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
    child
}
