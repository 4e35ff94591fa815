//! The client of a registry in memory. `tests/it/stdio` has the one of a program.

mod asked;
mod calls;
mod errors;
mod filtered;
mod golden;
mod received;
mod results;
mod storm;
mod tasks;

use std::process::Command;

use toolwright::testing::TestClient;

#[test]
fn a_client_may_be_used_on_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<TestClient>();
}

/// A program that says these lines, each once it has read one.
fn program(lines: impl IntoIterator<Item = impl ToString>) -> TestClient {
    let script = "for line; do read request; printf '%s\\n' \"$line\"; done";
    let mut program = Command::new("sh");
    program.args(["-c", script, "program"]).args(lines.into_iter().map(|line| line.to_string()));
    TestClient::spawn(&mut program).unwrap()
}
