use std::process::Command;

use crate::replicas::port;
use crate::stores::Server;

/// The tools that an agent has, as a server without sessions.
pub(super) struct Tools {
    server: Server,
    address: String,
}

impl Tools {
    pub(super) fn start() -> Self {
        let address = format!("127.0.0.1:{}", port::free());
        Self { server: server(&address), address }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    pub(super) fn kill(&mut self) {
        self.server.kill();
    }

    /// Starts them again, at the same port.
    pub(super) fn restart(&mut self) {
        self.server = server(&self.address);
    }
}

fn server(address: &str) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixture"));
    command.args(["--tools", "add", "--http", address]).env_clear();
    Server::start(&mut command, "listening on")
}
