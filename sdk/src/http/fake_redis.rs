//! A Redis server for tests that answers line by line.

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Starts a server. Returns its URL, and each line that it has received and answered.
pub(super) async fn start(
    answer: impl FnMut(&str) -> &'static str + Clone + Send + 'static,
) -> (String, UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let (say, said) = unbounded_channel();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, say.clone(), answer.clone()));
        }
    });
    (url, said)
}

async fn serve(
    stream: TcpStream,
    say: UnboundedSender<String>,
    mut answer: impl FnMut(&str) -> &'static str,
) {
    let mut lines = BufReader::new(stream).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let _ = lines.get_mut().write_all(answer(&line).as_bytes()).await;
        let _ = say.send(line);
    }
}
