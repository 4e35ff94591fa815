//! Clients that end while they have much to read.

#[cfg(target_os = "linux")]
use std::net::Shutdown;

use super::*;

/// A server whose client has so much to read that reading stops, and its output.
fn stuffed(
    input: OwnedFd,
    output: OwnedFd,
    mut to_server: impl Write,
) -> (thread::JoinHandle<()>, Arc<Output>) {
    let wire = Wire { input, output };
    let registry = ToolRegistry::builder("toy").tool(long::tool()).build().unwrap();
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let options = Options { max_unsent: 1, ..Options::default() };
    let server = {
        let _entered = runtime.enter();
        Server::start(&registry, options, wire, runtime.handle().clone()).unwrap()
    };
    let long = call("long", 1).replace(r#""x":1"#, r#""x":2"#);
    to_server.write_all(long.as_bytes()).unwrap();
    while !server.output.is_stuffed() {
        thread::yield_now();
    }
    let output = server.output.clone();
    (thread::spawn(move || runtime.block_on(server.run(std::future::pending()))), output)
}

#[test]
fn what_a_client_has_said_before_it_closed_its_end_is_answered_once_it_reads() {
    let (input, mut to_server) = pipe().unwrap();
    let (from_server, output) = pipe_ends();
    let (server, output) = stuffed(input.into(), output, &to_server);
    for id in 8..10 {
        writeln!(to_server, r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#).unwrap();
    }
    drop(to_server);
    // The end is seen before the second wait from here on, and the client still has not read.
    let waits = output.waits.load(Ordering::SeqCst);
    while output.waits.load(Ordering::SeqCst) < waits + 2 {
        thread::yield_now();
    }
    let answers = said(BufReader::new(File::from(from_server)), 3);
    assert!(answers.len() == 3 && answers[2].contains(r#""id":9"#), "{}", answers.len());
    server.join().unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn the_end_of_one_side_of_a_socket_is_seen_although_the_client_reads_nothing() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (server, _) = stuffed(theirs.try_clone().unwrap().into(), theirs.into(), &ours);
    ours.shutdown(Shutdown::Write).unwrap();
    let since = Instant::now();
    while !server.is_finished() {
        assert!(since.elapsed() < 3 * PATIENCE, "it lives on");
        thread::sleep(Duration::from_millis(1));
    }
}
