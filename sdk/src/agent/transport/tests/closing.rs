use std::os::unix::process::ExitStatusExt;
use std::time::Duration;

use super::{
    Connection, eventually, is_gone, line, outcome, pid, polled_once, run, runtime, script, shell,
    start,
};
use crate::agent::transport::{Process, Transport};

/// Ignores the end of its input and SIGTERM; says so when it is ready.
const STUBBORN: &str = "trap '' TERM; echo ready; while :; do sleep 1; done";
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn an_end_at_once_has_a_status_and_words() {
    let (output, exit) = run(outcome(shell(), script("echo it goes wrong >&2; exit 3")));
    assert_eq!(
        (output.as_str(), exit.status.unwrap().code(), exit.stderr.as_str()),
        ("", Some(3), "it goes wrong\n")
    );
}

#[test]
fn the_end_of_its_input_is_enough_for_a_good_one() {
    run(async {
        let process = shell().grace_after_end(LONG);
        let Connection { mut outgoing, mut peer, .. } =
            start(process, "while read x; do :; done; exit 6").await;
        outgoing.end().await.unwrap();
        assert_eq!(peer.wait(true).await.status.unwrap().code(), Some(6));
    });
}

#[test]
fn then_it_is_asked_to_end() {
    run(async {
        let process = shell().grace_after_terminate(LONG);
        let Connection { mut incoming, outgoing, mut peer } = start(
            process,
            "trap 'echo asked; exit 9' TERM; echo ready; while :; do sleep 0.01; done",
        )
        .await;
        assert_eq!(line(&mut *incoming).await, "ready");
        drop(outgoing);
        assert_eq!(peer.wait(true).await.status.unwrap().code(), Some(9));
        assert_eq!(line(&mut *incoming).await, "asked");
    });
}

#[test]
fn then_it_is_killed_and_no_zombie_is_left() {
    run(async {
        let Connection { mut incoming, outgoing, mut peer } = start(shell(), STUBBORN).await;
        assert_eq!(line(&mut *incoming).await, "ready");
        drop(outgoing);
        let id = pid(peer.id().unwrap());
        assert_eq!(peer.wait(true).await.status.unwrap().signal(), Some(9));
        assert!(is_gone(id));
        assert_eq!(peer.id(), None);
        assert_eq!(
            peer.wait(true).await.status.unwrap().signal(),
            Some(9),
            "it can be asked again"
        );
    });
}

#[test]
fn waiting_may_be_given_up_half_way() {
    run(async {
        let Connection { mut incoming, outgoing: _outgoing, mut peer } =
            start(shell(), STUBBORN).await;
        assert_eq!(line(&mut *incoming).await, "ready");
        for closing in [false, true, true, false] {
            assert!(polled_once(peer.wait(closing)).await.is_none());
        }
        assert_eq!(peer.wait(false).await.status.unwrap().signal(), Some(9));
    });
}

#[test]
fn waiting_without_closing_does_not_force_anything() {
    run(async {
        let process = shell().grace_after_end(Duration::ZERO).grace_after_terminate(Duration::ZERO);
        let Connection { mut outgoing, mut peer, .. } = start(process, "read x; exit 2").await;
        assert!(polled_once(peer.wait(false)).await.is_none());
        outgoing.write(b"\n").await.unwrap();
        assert_eq!(peer.wait(false).await.status.unwrap().code(), Some(2));
    });
}

#[test]
fn one_that_is_stopped_ends_too() {
    run(async {
        let Connection { mut incoming, mut outgoing, mut peer } =
            start(shell(), "echo ready; kill -STOP $$; exit 0").await;
        assert_eq!(line(&mut *incoming).await, "ready");
        outgoing.end().await.unwrap();
        assert_eq!(peer.wait(true).await.status.unwrap().signal(), Some(9));
    });
}

#[test]
fn what_is_dropped_ends_without_anybody_waiting() {
    run(async {
        let mut connection = start(shell(), STUBBORN).await;
        assert_eq!(line(&mut *connection.incoming).await, "ready");
        let id = pid(connection.peer.id().unwrap());
        drop(connection);
        eventually(|| is_gone(id));
    });
}

#[test]
fn what_is_dropped_ends_even_when_the_runtime_is_gone() {
    let runtime = runtime();
    let mut connection = runtime.block_on(start(shell(), STUBBORN));
    assert_eq!(runtime.block_on(line(&mut *connection.incoming)), "ready");
    let id = pid(connection.peer.id().unwrap());
    drop(runtime);
    assert!(!is_gone(id));
    drop(connection);
    eventually(|| is_gone(id));
}

#[test]
fn a_process_that_ended_unseen_is_no_zombie() {
    run(async {
        let Connection { mut incoming, outgoing, peer } = start(shell(), "echo $$").await;
        let id = pid(line(&mut *incoming).await);
        // Nobody polls `wait`, and nobody drops the peer.
        eventually(|| is_gone(id));
        assert_eq!(peer.id(), None);
        drop(outgoing);
    });
}

#[test]
fn many_at_once_keep_their_ends_apart() {
    run(async {
        let runs: Vec<_> = (0..40_u8)
            .map(|code| {
                tokio::spawn(outcome(shell(), script(&format!("echo {code}; exit {code}"))))
            })
            .collect();
        for (code, outcome) in runs.into_iter().enumerate() {
            let (output, exit) = outcome.await.unwrap();
            assert_eq!(
                (output.trim(), exit.status.unwrap().code()),
                (code.to_string().as_str(), i32::try_from(code).ok())
            );
        }
    });
}

#[test]
fn the_parts_can_go_to_other_tasks() {
    fn is_send<T: Send>(_: &T) {}
    let connect = Box::new(Process::new()).connect(script(""));
    is_send(&connect);
}
