//! What waits is bounded.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::*;

/// Whoever is on this machine can connect, without the token too.
#[tokio::test(start_paused = true)]
async fn connections_that_send_half_a_head_leave_room_for_others() {
    let page = serve(0).await.unwrap();
    let begun = Instant::now();
    let mut streams = Vec::new();
    for _ in 0..200 {
        let mut stream = tokio::net::TcpStream::connect(page.address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
        streams.push(stream);
    }
    for stream in &mut streams {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }
    // Each has had ten seconds, and 64 at once.
    assert!(begun.elapsed().as_secs() >= 40, "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_head_that_is_too_long_for_the_page_is_refused() {
    let page = serve(0).await.unwrap();
    let mut stream = tokio::net::TcpStream::connect(page.address).await.unwrap();
    let mut head = b"GET / HTTP/1.1\r\nX: ".to_vec();
    head.resize(64 * 1024, b'x');
    stream.write_all(&head).await.unwrap();
    let mut said = String::new();
    let _ = stream.read_to_string(&mut said).await;
    assert!(said.starts_with("HTTP/1.1 431 "), "{said}");
}

#[tokio::test]
async fn what_is_kept_is_bounded() {
    let page = serve(0).await.unwrap();
    let text = "x".repeat(1024 * 1024);
    for _ in 0..20 {
        page.tell(&Event::Notice { text: text.clone() });
    }
    let (kept, _) = page.site.hub.read(0);
    let bytes: usize = kept.iter().map(|(_, text)| text.upgrade().unwrap().len()).sum();
    assert!((hub::KEPT / 2..=hub::KEPT).contains(&bytes), "{bytes}");
    assert_eq!(kept.back().unwrap().0, 19);
}

#[tokio::test]
async fn a_browser_that_does_not_read_takes_no_memory() {
    let page = serve(0).await.unwrap();
    page.tell(&Event::Notice { text: "first".into() });
    let (kept, mut coming) = page.site.hub.read(0);
    for _ in 0..3 {
        page.tell(&Event::Notice { text: "x".repeat(hub::KEPT / 2) });
    }
    assert!(kept[0].1.upgrade().is_none());
    assert!(coming.recv().await.unwrap().1.upgrade().is_none());
    // Those that have gone are not among the readers.
    for _ in 0..100 {
        drop(page.site.hub.read(0));
    }
    assert!(page.site.hub.readers() <= 2, "{}", page.site.hub.readers());
}

#[tokio::test]
async fn what_a_browser_has_not_read_is_bounded() {
    let page = serve(0).await.unwrap();
    let (_, mut coming) = page.site.hub.read(0);
    for number in 0..1_030 {
        page.tell(&Event::Notice { text: number.to_string() });
    }
    let mut read = Vec::new();
    while let Some((number, _)) = coming.recv().await {
        read.push(number);
    }
    assert_eq!(read, (0..1_024).collect::<Vec<_>>());
    let (kept, _) = page.site.hub.read(1_024);
    let numbers: Vec<_> = kept.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1_024..1_030).collect::<Vec<_>>(), "it goes on where it was");
}

/// Messages that are all there at once.
struct Backlog(usize);

impl Stream for Backlog {
    type Item = Result<Message, RunError>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let line = r#"{"type":"system","subtype":"notification","text":"news"}"#;
        let left = self.0.checked_sub(1);
        self.0 = left.unwrap_or_default();
        std::task::Poll::Ready(left.map(|_| Ok(Message::parse(line))))
    }
}

#[tokio::test]
async fn a_browser_that_reads_stays_however_much_comes_at_once() {
    let mut page = serve(0).await.unwrap();
    let (_, mut coming) = page.site.hub.read(0);
    let reader = tokio::spawn(async move {
        let mut count = 0;
        while coming.recv().await.is_some() {
            count += 1;
        }
        count
    });
    page.read(Backlog(3_000)).await.unwrap_err();
    drop(page);
    // The last one says that there is no result.
    assert_eq!(reader.await.unwrap(), 3_001);
}
