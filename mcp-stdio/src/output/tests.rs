use std::future::Future;
use std::io::Read;
use std::pin::pin;
use std::sync::mpsc::channel;
use std::task::{Context, Waker};
use std::thread;

use tokio::runtime::Builder;

use super::*;

#[test]
fn answers_above_the_bound_stop_the_reader() {
    let (mut client, wire) = std::io::pipe().unwrap();
    let output = Arc::new(Output::new(wire.into(), 0));
    let flush = |length: usize| Client(output.clone()).flush(&|_| vec![b'x'; length]);
    flush(1_000);
    assert!(!output.is_behind(), "a pipe takes this much");
    flush(BEYOND);
    assert!(output.is_behind() && !output.is_stuffed());
    flush(1_000_000);
    assert!(output.is_stuffed());
    let mut all = vec![0; 1_000 + BEYOND + 1_000_000];
    client.read_exact(&mut all).unwrap();
    assert!(all.iter().all(|byte| *byte == b'x'));
    while output.is_behind() {
        output.wait_for_room(Duration::from_secs(60));
        thread::yield_now();
    }
    output.close();
}

/// As long as no thread can be had, the one that sends first writes for all.
#[test]
fn without_a_thread_to_write_the_caller_writes_and_its_end_is_seen() {
    const LENGTH: usize = 1_000_000;
    let (mut client, wire) = std::io::pipe().unwrap();
    let start = |_| Err(io::ErrorKind::WouldBlock.into());
    let output = Arc::new(Output { start, ..Output::new(wire.into(), 0) });
    let flush = |byte: u8, length: usize| {
        let client = Client(output.clone());
        let (done, is_done) = channel();
        thread::spawn(move || {
            client.flush(&|_| vec![byte; length]);
            done.send(()).unwrap();
        });
        is_done
    };
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let _entered = runtime.enter();
    let is_first_done = flush(b'x', LENGTH);
    while !output.is_behind() {
        thread::yield_now();
    }
    let mut drain = pin!(output.drain(Duration::MAX, false));
    let mut context = Context::from_waker(Waker::noop());
    assert!(drain.as_mut().poll(&mut context).is_pending());
    let limit = Duration::from_secs(60);
    flush(b'y', LENGTH).recv_timeout(limit).expect("only one caller has to wait");
    let mut all = vec![0; 2 * LENGTH];
    client.read_exact(&mut all).unwrap();
    assert!(all[..LENGTH].iter().all(|byte| *byte == b'x'));
    assert!(all[LENGTH..].iter().all(|byte| *byte == b'y'));
    is_first_done.recv_timeout(limit).unwrap();
    assert!(drain.poll(&mut context).is_ready());
}
