use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;

use super::plain::Plain;
use super::server::Server;
use crate::peers::{installed, peer};
use crate::replicas::port;

/// A server with the API of S3, and a bucket.
pub(crate) struct Moto {
    _server: Server,
    port: u16,
}

impl Moto {
    /// `None` when it is not installed, and then there is nothing to test.
    pub(crate) fn start() -> Option<Self> {
        let python = installed(peer("stores/.venv/bin/python"))?;
        let port = port::free();
        let mut command = Command::new(python);
        command.args(["-m", "moto.server", "-H", "127.0.0.1", "-p", &port.to_string()]);
        let server = Server::start(command.env_clear(), "Running on ");
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let head = "PUT /bucket HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains(" 200 "), "{answer}");
        Some(Self { _server: server, port })
    }

    pub(crate) fn bucket(&self) -> Arc<dyn ObjectStore> {
        let builder = AmazonS3Builder::new()
            .with_http_connector(Plain)
            .with_endpoint(format!("http://127.0.0.1:{}", self.port))
            .with_allow_http(true)
            .with_bucket_name("bucket")
            .with_region("us-east-1")
            .with_access_key_id("test")
            .with_secret_access_key("test");
        Arc::new(builder.build().unwrap())
    }
}
