use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::unix::pipe;
use tokio::time::timeout;

/// Longer than any client waits before it kills its server.
const PATIENCE: Duration = Duration::from_secs(20);

/// The fixture, as a client reaches it.
#[derive(Debug)]
pub(super) struct Server {
    /// What a driver is told: `stdio COMMAND...`.
    pub(super) target: Vec<OsString>,
    /// Where each process of the fixture leaves its exit status.
    ends: BufReader<pipe::Receiver>,
    /// Without it the pipe would be at its end whenever no process has it open.
    _open: pipe::Sender,
}

impl Server {
    /// A command that the client runs, which writes the exit status of the fixture into a pipe.
    pub(super) fn stdio(folder: &Path, flags: &[&str]) -> Self {
        let (ends, script) = (folder.join("ends"), folder.join("server.sh"));
        assert!(Command::new("mkfifo").arg(&ends).status().unwrap().success());
        let program = env!("CARGO_BIN_EXE_fixture");
        let lines = format!("'{program}' {}\necho $? >'{}'\n", flags.join(" "), ends.display());
        fs::write(&script, lines).unwrap();
        let receiver = pipe::OpenOptions::new().open_receiver(&ends).unwrap();
        Self {
            target: vec!["stdio".into(), "/bin/sh".into(), script.into()],
            ends: BufReader::new(receiver),
            _open: pipe::OpenOptions::new().open_sender(&ends).unwrap(),
        }
    }

    /// Waits until a process of the fixture has ended, which must be by itself and in order.
    pub(super) async fn ended(&mut self) -> Result<(), String> {
        let mut status = String::new();
        match timeout(PATIENCE, self.ends.read_line(&mut status)).await {
            Ok(Ok(_)) if status == "0\n" => Ok(()),
            Ok(_) => Err(format!("the server ended with {status}")),
            Err(_) => Err("the server was killed, or did not end".to_owned()),
        }
    }
}
