use std::task::Waker;

use tokio::net::TcpListener;
use tokio::time::advance;

use super::*;

const IDLE: Duration = Duration::from_secs(10);
const MOST: Duration = Duration::from_secs(9);

async fn connection() -> (Connection, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (stream, _) = listener.accept().await.unwrap();
    (Connection::new(stream, Arc::default(), IDLE, IDLE), client)
}

#[tokio::test(start_paused = true)]
async fn each_wait_for_the_client_to_read_has_all_of_the_time() {
    let (mut connection, _client) = connection().await;
    let cx = &mut Context::from_waker(Waker::noop());
    for _ in 0..3 {
        assert!(connection.written::<()>(cx, Poll::Pending).is_pending());
        advance(MOST).await;
        assert!(connection.written::<()>(cx, Poll::Pending).is_pending());
        assert!(matches!(connection.written(cx, Poll::Ready(Ok(()))), Poll::Ready(Ok(()))));
    }
    assert!(connection.written::<()>(cx, Poll::Pending).is_pending());
    advance(IDLE).await;
    assert!(matches!(connection.written::<()>(cx, Poll::Pending), Poll::Ready(Err(_))));
}

#[tokio::test(start_paused = true)]
async fn the_time_until_the_next_request_begins_when_the_answer_has_left() {
    let (mut connection, _client) = connection().await;
    let cx = &mut Context::from_waker(Waker::noop());
    connection.is_flushed = false;
    for _ in 0..3 {
        assert!(connection.late(cx).is_pending());
        advance(MOST).await;
    }
    connection.is_flushed = true;
    assert!(connection.late(cx).is_pending());
    advance(MOST).await;
    assert!(connection.late(cx).is_pending());
    advance(IDLE - MOST).await;
    assert!(connection.late(cx).is_ready());
}
