use std::fs;
use std::path::Path;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{PATIENCE, Replica, port};
use crate::cli::Folder;
use crate::peers::on_path;

/// The configuration that a user copies.
pub(super) const CONFIGURATION: &str = include_str!("../../../examples/11_replicas/nginx.conf");

/// nginx, which sends each request to the next replica.
#[derive(Debug)]
pub(super) struct Proxy {
    pub(super) address: String,
    _child: Child,
    _folder: Folder,
}

impl Proxy {
    /// `None` when nginx is not installed, and then there is nothing to test.
    pub(super) async fn start(replicas: &[Replica]) -> Option<Self> {
        let program = on_path("nginx")?;
        let folder = Folder::create();
        let address = format!("127.0.0.1:{}", port::free());
        fs::write(folder.path().join("nginx.conf"), main(folder.path())).unwrap();
        fs::write(folder.path().join("server.conf"), server(&address, replicas)).unwrap();
        let mut child = Command::new(program)
            .arg("-p")
            .arg(folder.path())
            .args(["-c", "nginx.conf", "-e", "stderr"])
            .env_clear()
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut said = String::new();
        // It says so once it listens.
        while !said.contains("event method") {
            let line = timeout(PATIENCE, log.next_line()).await.expect("nginx says something");
            said += &line.unwrap().unwrap_or_else(|| panic!("nginx does not start: {said}"));
        }
        // It would wait if nobody read what it says.
        tokio::spawn(async move { while let Ok(Some(_)) = log.next_line().await {} });
        Some(Self { address, _child: child, _folder: folder })
    }
}

/// What is around a user's part: one process, whose files are all in the folder.
fn main(folder: &Path) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("    {kind}_temp_path {}/{kind};\n", folder.display()))
        .concat();
    format!(
        "daemon off;\nmaster_process off;\npid nginx.pid;\nerror_log stderr notice;\n\
         events {{}}\nhttp {{\n    access_log off;\n{temporary}\
         \x20   add_header X-Replica $upstream_addr always;\n    include server.conf;\n}}\n"
    )
}

/// The user's part, with these replicas.
fn server(address: &str, replicas: &[Replica]) -> String {
    let mut replicas = replicas.iter();
    let mut text = String::new();
    for line in CONFIGURATION.lines() {
        let line = match line.trim() {
            "listen 80;" => format!("listen {address};"),
            line if line.starts_with("server replica-") => match replicas.next() {
                Some(replica) => {
                    let options = line.splitn(3, ' ').nth(2).unwrap();
                    format!("server {} {options}", replica.address)
                }
                None => continue,
            },
            line => line.to_owned(),
        };
        text += &format!("{line}\n");
    }
    assert!(replicas.next().is_none(), "the configuration has too few replicas");
    text
}
