use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// Longer than any client waits before it kills its server, and than a server may take to stop.
const PATIENCE: Duration = Duration::from_secs(20);

const PROGRAM: &str = env!("CARGO_BIN_EXE_fixture");

/// The fixture, as a client reaches it.
#[derive(Debug)]
pub(crate) struct Server {
    /// What a driver is told: `stdio COMMAND...` or `http URL`.
    pub(super) target: Vec<OsString>,
    process: Process,
}

#[derive(Debug)]
enum Process {
    /// The client starts it, as often as it likes.
    OfClient {
        /// Where each leaves its exit status.
        ends: BufReader<pipe::Receiver>,
        /// Without it the pipe would be at its end whenever no process has it open.
        _open: pipe::Sender,
    },
    Own {
        child: Child,
        /// What it says on standard error.
        said: mpsc::UnboundedReceiver<String>,
    },
}

impl Server {
    /// A command that the client runs, which writes the exit status of the fixture into a pipe.
    pub(super) fn stdio(folder: &Path, flags: &[&str]) -> Self {
        let (ends, script) = (folder.join("ends"), folder.join("server.sh"));
        assert!(std::process::Command::new("mkfifo").arg(&ends).status().unwrap().success());
        let lines = format!("'{PROGRAM}' {}\necho $? >'{}'\n", flags.join(" "), ends.display());
        fs::write(&script, lines).unwrap();
        let receiver = pipe::OpenOptions::new().open_receiver(&ends).unwrap();
        let open = pipe::OpenOptions::new().open_sender(&ends).unwrap();
        Self {
            target: vec!["stdio".into(), "/bin/sh".into(), script.into()],
            process: Process::OfClient { ends: BufReader::new(receiver), _open: open },
        }
    }

    /// A process that listens on a port of its own.
    pub(crate) async fn http(flags: &[&str]) -> Self {
        Self::http_at("127.0.0.1:0", flags).await
    }

    /// A process that listens at this address.
    pub(crate) async fn http_at(address: &str, flags: &[&str]) -> Self {
        Self::run(&[flags, &["--http", address]].concat()).await
    }

    /// A process with these arguments, by which it listens.
    pub(crate) async fn run(args: &[&str]) -> Self {
        Self::of(Command::new(PROGRAM).args(args).env_clear()).await
    }

    /// A process that serves with so many threads.
    pub(crate) async fn with_threads(threads: u8, args: &[&str]) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(args).args(["--http", "127.0.0.1:0"]).env_clear();
        Self::of(command.env("TOKIO_WORKER_THREADS", threads.to_string())).await
    }

    async fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let (heard, said) = mpsc::unbounded_channel();
        // A process waits when nobody reads what it says.
        tokio::spawn(async move {
            while let Ok(Some(line)) = log.next_line().await {
                let _ = heard.send(line);
            }
        });
        let mut server = Self { target: Vec::new(), process: Process::Own { child, said } };
        let url = server.says("listening on ").await;
        server.target = vec!["http".into(), url.into()];
        server
    }

    /// Waits until its own process says a line that begins so, and gives the rest of it.
    pub(crate) async fn says(&mut self, start: &str) -> String {
        let Process::Own { said, .. } = &mut self.process else {
            panic!("only the client hears it")
        };
        let line = async {
            loop {
                let line = said.recv().await.expect("it runs");
                if let Some(rest) = line.strip_prefix(start) {
                    return rest.to_owned();
                }
            }
        };
        timeout(PATIENCE, line).await.unwrap_or_else(|_| panic!("it does not say {start}"))
    }

    /// The last word of the target.
    pub(crate) fn url(&self) -> &str {
        self.target.last().and_then(|url| url.to_str()).unwrap_or_default()
    }

    /// The id of its own process.
    #[cfg(target_os = "linux")]
    pub(crate) fn process(&self) -> u32 {
        match &self.process {
            Process::Own { child, .. } => child.id().expect("it runs"),
            Process::OfClient { .. } => panic!("the client starts it"),
        }
    }

    /// Waits until so many processes that the client has started have ended, or ends its own. They
    /// must end in order.
    pub(crate) async fn ended(&mut self, processes: usize) -> Result<(), String> {
        match &mut self.process {
            Process::OfClient { ends, .. } => {
                for _ in 0..processes {
                    let mut status = String::new();
                    match timeout(PATIENCE, ends.read_line(&mut status)).await {
                        Ok(Ok(_)) if status == "0\n" => {}
                        Ok(_) => return Err(format!("the server ended with {status}")),
                        Err(_) => return Err("the server was killed, or did not end".to_owned()),
                    }
                }
                Ok(())
            }
            Process::Own { child, .. } => {
                let id = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
                kill_process(id.ok_or("the server has ended")?, Signal::TERM).unwrap();
                match timeout(PATIENCE, child.wait()).await {
                    Ok(Ok(status)) if status.success() => Ok(()),
                    Ok(status) => Err(format!("the server ended with {status:?}")),
                    Err(_) => Err("the server does not stop".to_owned()),
                }
            }
        }
    }
}
