//! Requests over HTTP.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};

use super::bytes::{Case, Client, requests};
use super::subject::Subject;

struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(subject: &Subject, is_guarded: bool) -> Self {
        let mut child = subject.http(is_guarded).stderr(Stdio::piped()).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut address = String::new();
        while !address.starts_with("listening on ") {
            address.clear();
            assert!(log.read_line(&mut address).unwrap() > 0, "{} does not listen", subject.name);
        }
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let address = address.split('/').nth(2).unwrap().to_owned();
        Self { child, address }
    }
}

pub(super) fn answers(subject: &Subject) -> Vec<(&'static str, String)> {
    let servers = [false, true].map(|is_guarded| Server::start(subject, is_guarded));
    let clients = servers.each_ref().map(|server| {
        Client::begin(server.address.clone(), subject.patience_of_requests()).unwrap()
    });
    let client = |case: &Case| &clients[usize::from(case.how.is_guarded())];
    let answer = |case: &Case| (case.name, client(case).ask(case));
    requests().iter().map(answer).collect()
}
