use std::io;

use serde_json::json;

use super::*;

/// Keeps what is written to the CLI.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<String>>);

#[async_trait::async_trait]
impl Outgoing for Written {
    async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        lock(&self.0).push_str(std::str::from_utf8(bytes).unwrap());
        Ok(())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_request_fails_at_once_when_the_cli_ends_and_after_it() {
    let channel = Channel::default();
    let (_, answer) = channel.request("interrupt", &json!({})).ok().unwrap();
    channel.end(&ProcessExit::default());
    assert!(answer.await.is_err());
    assert!(channel.request("interrupt", &json!({})).is_err(), "nobody would ever answer it");
}

#[tokio::test]
async fn a_request_is_taken_back_once() {
    let channel = Arc::<Channel>::default();
    let (id, _answer) = channel.request("interrupt", &json!({})).ok().unwrap();
    channel.retract(id);
    channel.withdraw(id);
    channel.withdraw(id);
    let (id, _answer) = channel.request("interrupt", &json!({})).ok().unwrap();
    channel.resolve(&id.to_string(), Ok("{}".into()));
    channel.retract(id);
    channel.writer.end();
    let written = Written::default();
    channel.run(Box::new(written.clone())).await.unwrap();
    let written = lock(&written.0);
    assert_eq!(written.matches("control_cancel_request").count(), 1, "{written}");
}
