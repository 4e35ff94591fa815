use std::io::ErrorKind;

use super::{Connection, line, polled_once, rest, run, shell, start};

#[test]
fn output_comes_in_pieces_as_it_is_written() {
    run(async {
        let Connection { mut incoming, mut outgoing, mut peer } =
            start(shell(), "printf ab; read x; printf \"$x\"; read x; printf ef").await;
        let mut buffer = b"before:".to_vec();
        for (expected, answer) in [("before:ab", "cd\n"), ("before:abcd", "\n")] {
            while buffer.len() < expected.len() {
                incoming.read(&mut buffer).await.unwrap();
            }
            assert_eq!(buffer, expected.as_bytes());
            outgoing.write(answer.as_bytes()).await.unwrap();
        }
        assert_eq!(rest(&mut *incoming).await, "ef");
        assert_eq!(incoming.read(&mut buffer).await.unwrap(), 0, "the end stays the end");
        assert!(peer.wait(false).await.status.unwrap().success());
    });
}

#[test]
fn a_read_that_is_dropped_loses_nothing() {
    run(async {
        let Connection { mut incoming, mut outgoing, peer: _peer } =
            start(shell(), "while read x; do echo \"$x\"; done").await;
        let mut buffer = Vec::new();
        for number in 0..200 {
            let expected = format!("{number}\n");
            assert!(
                polled_once(incoming.read(&mut buffer)).await.is_none(),
                "nothing was said yet"
            );
            outgoing.write(expected.as_bytes()).await.unwrap();
            while buffer.len() < expected.len() {
                // Whatever was done in the one poll is in the buffer, and what was not comes with
                // the next.
                polled_once(incoming.read(&mut buffer)).await;
                tokio::task::yield_now().await;
            }
            assert_eq!(String::from_utf8_lossy(&buffer), expected);
            buffer.clear();
        }
    });
}

#[test]
fn much_goes_through_both_ways_at_once() {
    run(async {
        let Connection { mut incoming, mut outgoing, mut peer } = start(shell(), "exec cat").await;
        let sent: Vec<u8> = (0..8 * 1024 * 1024_u32).map(|at| (at % 251) as u8).collect();
        let bytes = sent.clone();
        let writing = tokio::spawn(async move {
            outgoing.write(&bytes).await.unwrap();
            outgoing.end().await.unwrap();
            outgoing.end().await.unwrap();
            assert_eq!(outgoing.write(b"x").await.unwrap_err().kind(), ErrorKind::BrokenPipe);
        });
        let mut buffer = Vec::new();
        while incoming.read(&mut buffer).await.unwrap() > 0 {}
        writing.await.unwrap();
        assert!(buffer == sent);
        assert!(peer.wait(false).await.status.unwrap().success());
    });
}

#[test]
fn the_buffer_grows_by_what_was_read_only() {
    run(async {
        let Connection { mut incoming, mut outgoing, peer: _peer } =
            start(shell(), "while read x; do echo \"$x\"; done").await;
        let mut buffer = Vec::new();
        for _ in 0..1000 {
            outgoing.write(b"x\n").await.unwrap();
            incoming.read(&mut buffer).await.unwrap();
            buffer.clear();
        }
        assert!(buffer.capacity() <= 128 * 1024, "{}", buffer.capacity());
    });
}

#[test]
fn a_write_that_nobody_reads_waits_and_can_be_dropped() {
    run(async {
        let Connection { incoming, mut outgoing, mut peer } =
            start(shell(), "trap '' TERM; while :; do sleep 1; done").await;
        outgoing.write(b"the pipe is ready\n").await.unwrap();
        let much = vec![b'x'; 4 * 1024 * 1024];
        assert!(polled_once(outgoing.write(&much)).await.is_none(), "it is more than a pipe holds");
        // The rest of the line cannot follow any more, so nothing may.
        assert!(outgoing.write(b"{}\n").await.is_err());
        drop((incoming, outgoing));
        assert!(!peer.wait(true).await.status.unwrap().success());
    });
}

#[test]
fn a_write_to_a_cli_that_has_ended_is_an_error() {
    run(async {
        let Connection { incoming: _incoming, mut outgoing, mut peer } =
            start(shell(), "exit 0").await;
        peer.wait(false).await;
        assert_eq!(outgoing.write(b"{}\n").await.unwrap_err().kind(), ErrorKind::BrokenPipe);
    });
}

#[test]
fn what_was_said_before_the_end_is_read_after_it() {
    run(async {
        let text = "i=0; while [ $i -lt 1000 ]; do echo line $i; i=$((i+1)); done; exit 4";
        let Connection { mut incoming, outgoing: _outgoing, mut peer } = start(shell(), text).await;
        assert_eq!(peer.wait(false).await.status.unwrap().code(), Some(4));
        let output = rest(&mut *incoming).await;
        assert_eq!(output.lines().count(), 1000);
        assert!(output.ends_with("line 999\n"));
    });
}

#[test]
fn output_that_is_closed_early_is_not_the_end_of_the_process() {
    run(async {
        let Connection { mut incoming, mut outgoing, mut peer } =
            start(shell(), "echo a; exec >&-; read x; exit $x").await;
        assert_eq!(line(&mut *incoming).await, "a");
        assert_eq!(rest(&mut *incoming).await, "");
        assert!(polled_once(peer.wait(false)).await.is_none());
        outgoing.write(b"5\n").await.unwrap();
        assert_eq!(peer.wait(false).await.status.unwrap().code(), Some(5));
    });
}
