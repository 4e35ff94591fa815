//! Standard input and output of every kind that a client may give.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use super::fixture;

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
const PONG: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
const BIG: &str = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"big\",\"arguments\":{\"bytes\":1000000}}}\n";

fn check_answers(mut from: impl BufRead) {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    assert_eq!(line, PONG);
    line.clear();
    from.read_line(&mut line).unwrap();
    let answer: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), 1_000_000);
}

#[test]
fn sockets_as_node_gives_them() {
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    let output = OwnedFd::from(theirs.try_clone().unwrap());
    let mut child = fixture().stdin(OwnedFd::from(theirs)).stdout(output).spawn().unwrap();
    ours.write_all((PING.to_owned() + BIG).as_bytes()).unwrap();
    check_answers(BufReader::new(ours.try_clone().unwrap()));
    ours.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn files() {
    let folder = std::env::temp_dir().join(format!("toolwright-files-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (from, to) = (folder.join("in"), folder.join("out"));
    std::fs::write(&from, PING.to_owned() + BIG).unwrap();
    let status = fixture()
        .stdin(File::open(&from).unwrap())
        .stdout(File::create(&to).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
    check_answers(BufReader::new(File::open(&to).unwrap()));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_terminal() {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let slave =
        rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())
            .unwrap();
    let mut child = fixture().stdin(slave).stdout(Stdio::piped()).spawn().unwrap();
    let mut keyboard = File::from(terminal);
    keyboard.write_all(PING.as_bytes()).unwrap();
    keyboard.write_all(BIG.as_bytes()).unwrap();
    // Control-D.
    keyboard.write_all(b"\x04").unwrap();
    check_answers(BufReader::new(child.stdout.take().unwrap()));
    assert!(child.wait().unwrap().success());
}

/// A parent may have set the flag, which belongs to the pipe and not to the descriptor.
#[test]
fn pipes_that_do_not_block() {
    let (input, to_server) = std::io::pipe().unwrap();
    let (from_server, output) = std::io::pipe().unwrap();
    for fd in
        [&OwnedFd::from(input.try_clone().unwrap()), &OwnedFd::from(output.try_clone().unwrap())]
    {
        fcntl_setfl(fd, fcntl_getfl(fd).unwrap() | OFlags::NONBLOCK).unwrap();
    }
    let mut child = fixture().stdin(input).stdout(output).spawn().unwrap();
    let mut to_server = to_server;
    to_server.write_all(PING.as_bytes()).unwrap();
    to_server.write_all(BIG.as_bytes()).unwrap();
    check_answers(BufReader::new(from_server));
    drop(to_server);
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_null_device_as_output_ends_nothing() {
    let mut child = fixture()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(PING.as_bytes()).unwrap();
    let mut stray = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stray).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(stray, "");
}
