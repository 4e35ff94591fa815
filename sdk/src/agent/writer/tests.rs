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
    writer.run(Box::new(Reads), || false).await;
    assert_eq!(writer.flush(), Some(66 * LINE), "a line that was lost stays lost");
}

#[tokio::test]
async fn one_line_may_have_any_length_if_nothing_else_waits() {
    let writer = Writer::default();
    add(&writer, MOST + LINE);
    add(&writer, LINE);
    assert_eq!(writer.flush(), None);
    writer.end();
    writer.run(Box::new(Reads), || false).await;
    add(&writer, MOST + LINE);
    assert_eq!(writer.flush(), None);
}
