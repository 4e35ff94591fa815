use std::future::Future;

use super::batch::LARGE;
use super::*;

fn batch(messages: &[&str]) -> Batch {
    let mut batch = Batch::new(messages.iter().map(|message| message.len()).sum());
    messages.iter().for_each(|message| batch.add(message));
    batch
}

fn next(outlet: &mut Outlet) -> Poll<Option<Result<Arc<str>, RunError>>> {
    outlet.poll_next(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn messages_come_in_order_and_then_the_end() {
    let (inbox, mut outlet) = channel(100, false);
    assert!(next(&mut outlet).is_pending());
    inbox.push(batch(&["a", "b"])).unwrap();
    inbox.end(None);
    for expected in ["a", "b"] {
        assert!(
            matches!(next(&mut outlet), Poll::Ready(Some(Ok(message))) if &*message == expected)
        );
    }
    assert!(matches!(next(&mut outlet), Poll::Ready(None)));
}

#[test]
fn the_bound_counts_what_was_taken_from_the_queue_and_not_read() {
    let (inbox, mut outlet) = channel(5, false);
    inbox.push(batch(&["aaa", "bb"])).unwrap();
    assert!(matches!(next(&mut outlet), Poll::Ready(Some(Ok(_)))));
    inbox.push(batch(&["ccc"])).unwrap();
    let Err(RunError::Unread { unread: 6, bound: 5 }) = inbox.push(batch(&["d"])) else {
        panic!("over the bound")
    };
    inbox.end(Some(RunError::Unread { unread: 6, bound: 5 }));
    for expected in ["bb", "ccc", "d"] {
        assert!(
            matches!(next(&mut outlet), Poll::Ready(Some(Ok(message))) if &*message == expected),
            "nothing is lost"
        );
    }
    assert!(matches!(next(&mut outlet), Poll::Ready(Some(Err(RunError::Unread { .. })))));
    assert!(matches!(next(&mut outlet), Poll::Ready(None)));
}

#[test]
fn nothing_is_kept_for_a_reader_that_is_gone() {
    let (inbox, outlet) = channel(5, false);
    inbox.push(batch(&["a"])).unwrap();
    drop(outlet);
    inbox.push(batch(&["a long message"])).unwrap();
    assert!(inbox.0.state().queue.is_empty());
}

#[test]
fn large_and_small_messages_keep_their_order() {
    let large = "x".repeat(LARGE);
    let all = ["a", "", &large, "b", "é", &large, &large, "c"];
    let (inbox, mut outlet) = channel(usize::MAX, false);
    inbox.push(batch(&all)).unwrap();
    inbox.push(batch(&all[..3])).unwrap();
    for expected in all.iter().chain(&all[..3]) {
        assert!(
            matches!(next(&mut outlet), Poll::Ready(Some(Ok(message))) if &&*message == expected)
        );
    }
    assert!(next(&mut outlet).is_pending());
}

/// A queue with more unread than the driver leaves without waiting.
fn full() -> (Inbox, Outlet) {
    let (inbox, outlet) = channel(usize::MAX, false);
    let large = "x".repeat(STEP);
    (0..=MUCH / STEP).for_each(|_| inbox.push(batch(&[&large])).unwrap());
    (inbox, outlet)
}

fn has_room(inbox: &Inbox) -> bool {
    std::pin::pin!(inbox.room()).poll(&mut Context::from_waker(Waker::noop())).is_ready()
}

#[tokio::test]
async fn the_driver_goes_on_when_the_consumer_has_read_a_step() {
    let (inbox, mut outlet) = full();
    let mut room = std::pin::pin!(inbox.room());
    assert!(room.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(next(&mut outlet).is_ready());
    assert!(room.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    assert!(next(&mut outlet).is_ready());
    assert!(room.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready());
}

#[tokio::test]
async fn a_consumer_that_reads_nothing_is_waited_for_once() {
    let (inbox, mut outlet) = full();
    assert!(!has_room(&inbox));
    inbox.room().await;
    assert!(has_room(&inbox), "it is not waited for a second time");
    inbox.push(batch(&["a"])).unwrap();
    assert!(has_room(&inbox));
    assert!(next(&mut outlet).is_ready());
    inbox.push(batch(&["x".repeat(STEP).as_str()])).unwrap();
    assert!(!has_room(&inbox), "now it reads again");
}

#[tokio::test]
async fn with_back_pressure_the_driver_waits_at_the_bound_until_enough_is_read() {
    let (inbox, mut outlet) = channel(5, true);
    inbox.push(batch(&["aaa", "bb", "ccc"])).unwrap();
    let mut room = std::pin::pin!(inbox.room());
    let mut waits = || room.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending();
    assert!(waits());
    // What is held for another reader is not read.
    assert!(next(&mut outlet).is_ready());
    outlet.hold(3);
    assert!(waits());
    outlet.release(3);
    assert!(!waits());
    assert!(has_room(&inbox));
}
