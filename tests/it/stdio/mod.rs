//! The fixture server as a child process, seen from outside.

mod batches;
mod bounds;
mod cancel;
mod cli;
mod client;
mod descriptors;
mod ending;
mod hostile;
mod layers;
mod liveness;
pub(crate) mod sameness;
pub(crate) mod rows;
mod stray;
mod tasks;

use std::process::{Child, Command};

use serde_json::Value;
use toolwright::testing::TestClient;

/// The fixture with an environment of its own, so that nothing from outside reaches it.
fn fixture() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixture"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command
}

/// A client that has introduced itself.
fn connect() -> TestClient {
    let mut client = TestClient::spawn(&mut fixture()).unwrap();
    client.initialize().unwrap();
    client
}

/// The same with a server of some tools only, given as the fixture takes them.
fn connect_to(tools: &str) -> TestClient {
    let mut client = TestClient::spawn(fixture().args(["--tools", tools])).unwrap();
    client.initialize().unwrap();
    client
}

/// A child that does not outlive a test that fails.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The text of a result.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_default()
}

/// All messages until the server closes its end.
fn rest(client: &mut TestClient) -> Vec<Value> {
    std::iter::from_fn(|| client.receive().unwrap()).collect()
}
