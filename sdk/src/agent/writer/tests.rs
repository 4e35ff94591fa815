use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout;

use super::*;
use crate::agent::memory_cli::Reads;

const LINE: usize = 1024 * 1024;

fn add(writer: &Writer, length: usize) {
    writer.add(|out| out.resize(out.len() + length, b'x'));
}

#[tokio::test]
async fn lines_for_a_cli_that_does_not_read_are_bounded() {
    let writer = Writer::default();
    (0..65).for_each(|_| add(&writer, LINE));
    assert_eq!(writer.flush(), None);
    (0..100).for_each(|_| add(&writer, LINE));
    assert_eq!(writer.flush(), Some(66 * LINE));
    writer.alarm().notified().await;
    writer.end();
    writer.run(Box::new(Reads), || false).await.unwrap();
    assert_eq!(writer.flush(), Some(66 * LINE), "a line that was lost stays lost");
}

#[tokio::test]
async fn one_line_may_have_any_length_if_nothing_else_waits() {
    let writer = Writer::default();
    add(&writer, MOST + LINE);
    add(&writer, LINE);
    assert_eq!(writer.flush(), None);
    writer.end();
    writer.run(Box::new(Reads), || false).await.unwrap();
    add(&writer, MOST + LINE);
    assert_eq!(writer.flush(), None);
}

/// The input of a CLI that has gone.
struct Gone;

#[async_trait::async_trait]
impl Outgoing for Gone {
    async fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    async fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_room_once_nothing_can_be_written() {
    let writer = Writer::default();
    add(&writer, LINE);
    writer.run(Box::new(Gone), || false).await.unwrap_err();
    (0..2).for_each(|_| add(&writer, MOST + LINE));
    assert_eq!(writer.flush(), None, "it is not that the CLI does not read");
    timeout(Duration::from_secs(1), writer.room(LINE)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_room_once_nothing_more_is_written() {
    for end in [Writer::end, Writer::close] {
        let writer = Writer::default();
        add(&writer, LINE);
        add(&writer, MOST);
        let mut room = pin!(writer.room(LINE));
        assert!(poll_fn(|cx| Poll::Ready(room.as_mut().poll(cx))).await.is_pending());
        end(&writer);
        timeout(Duration::from_secs(1), room).await.unwrap();
    }
}

#[tokio::test]
async fn a_line_of_any_length_has_room_if_nothing_else_waits() {
    let writer = Writer::default();
    timeout(Duration::from_secs(60), writer.room(MOST + LINE)).await.unwrap();
}
