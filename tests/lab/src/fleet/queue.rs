use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::port;
use super::server::Server;
use crate::leashed::leashed;

const PROGRAM: &str = "nats-server";

/// A server of NATS with JetStream.
pub struct Queue {
    pub server: Server,
    port: u16,
    monitor: u16,
}

/// What the server has counted since it was started.
pub struct Counts {
    /// In both directions, with what only keeps the queue going.
    pub messages: f64,
    pub connections: f64,
    /// Of streams, workers among them.
    pub consumers: f64,
}

impl Queue {
    pub fn start(folder: &Path) -> Result<Self> {
        let (port, monitor) = (port::free(), port::free());
        let mut command = leashed(program()?);
        command.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string()]);
        command.args(["-m", &monitor.to_string(), "-sd"]).arg(folder).env_clear();
        let (server, _) = Server::ready(&mut command, "Server is ready", Signal::INT)?;
        Ok(Self { server, port, monitor })
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Puts jobs on the queue, in the form of `submit` in `examples/fleet`, whose header is kept
    /// too.
    pub fn submit(&self, jobs: &[Value]) -> Result<()> {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        let mut text = format!("CONNECT {}\r\n", json!({"verbose": false, "headers": true}));
        for job in jobs {
            let id = job["prompt_id"].as_str().context("a job without an id")?;
            let head = format!("NATS/1.0\r\nNats-Msg-Id: {id}\r\n\r\n");
            let job = job.to_string();
            let (before, all) = (head.len(), head.len() + job.len());
            text += &format!("HPUB fleet.jobs {before} {all}\r\n{head}{job}\r\n");
        }
        connection.write_all((text + "PING\r\n").as_bytes())?;
        // The answer comes when all has been taken.
        for line in BufReader::new(connection).lines() {
            let line = line.context("submitting")?;
            ensure!(!line.starts_with("-ERR"), "the queue says {line}");
            if line == "PONG" {
                break;
            }
        }
        Ok(())
    }

    /// How many jobs are on the queue, and their bytes on its disk.
    pub fn stored(&self) -> Result<(f64, f64)> {
        let jetstream = self.monitored("jsz")?;
        let number = |key: &str| jetstream[key].as_f64().context("no such figure");
        Ok((number("messages")?, number("bytes")?))
    }

    pub fn counts(&self) -> Result<Counts> {
        let all = self.monitored("varz")?;
        let number = |key: &str| all[key].as_f64().context("no such figure");
        let messages = number("in_msgs")? + number("out_msgs")?;
        let consumers = self.monitored("jsz")?["consumers"].as_f64().unwrap_or_default();
        Ok(Counts { messages, connections: number("connections")?, consumers })
    }

    fn monitored(&self, page: &str) -> Result<Value> {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, self.monitor))?;
        connection.write_all(format!("GET /{page} HTTP/1.0\r\n\r\n").as_bytes())?;
        let mut text = String::new();
        connection.read_to_string(&mut text)?;
        let (_, body) = text.split_once("\r\n\r\n").context("no answer")?;
        Ok(serde_json::from_str(body)?)
    }
}

/// On the path, or where the distribution has it.
fn program() -> Result<std::path::PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path).chain(["/usr/sbin".into()]);
    let program = folders.find_map(|folder| Some(folder.join(PROGRAM)).filter(|it| it.exists()));
    program.context("nats-server is not installed; see tests/peers/fleet/install.sh")
}
