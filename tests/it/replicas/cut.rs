use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// A way to a server, on which one reply is lost with its connection.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) address: String,
    has_cut: Arc<AtomicBool>,
}

impl Cut {
    /// Loses the first reply of the server at this address that contains a text.
    pub(super) async fn before(server: &str, text: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (server, has_cut) = (server.to_owned(), Arc::<AtomicBool>::default());
        let cut = has_cut.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(pass(client, server, text, cut.clone()));
            }
        });
        Self { address, has_cut }
    }

    pub(super) fn has_cut(&self) -> bool {
        self.has_cut.load(Ordering::SeqCst)
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, text: &str, has_cut: Arc<AtomicBool>) {
    let (mut asked, mut replied) = ([0; 65_536], [0; 65_536]);
    loop {
        let written = tokio::select! {
            read = client.read(&mut asked) => match read {
                Ok(length @ 1..) => server.write_all(&asked[..length]).await,
                _ => return,
            },
            read = server.read(&mut replied) => match read {
                Ok(length @ 1..) => {
                    let reply = &replied[..length];
                    let has_text = reply.windows(text.len()).any(|part| part == text.as_bytes());
                    if has_text && !has_cut.swap(true, Ordering::SeqCst) {
                        return;
                    }
                    client.write_all(reply).await
                }
                _ => return,
            },
        };
        if written.is_err() {
            return;
        }
    }
}
