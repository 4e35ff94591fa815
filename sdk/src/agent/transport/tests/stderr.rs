use std::panic::panic_any;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustix::process::{Signal, kill_process};

use super::{Connection, TOO_LONG, line, outcome, pid, run, script, shell, start};
use crate::agent::transport::{Process, ProcessGroup};

fn lines(process: Process) -> (Process, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = lines.clone();
    (process.stderr(move |line| seen.lock().unwrap().push(line.to_owned())), lines)
}

#[test]
fn ten_megabytes_that_nobody_asked_for_block_nothing() {
    run(async {
        let text =
            "yes 'a line of noise' | head -c 10485760 >&2; echo the end >&2; echo done; exit 7";
        let Connection { mut incoming, outgoing: _outgoing, mut peer } = start(shell(), text).await;
        assert_eq!(line(&mut *incoming).await, "done");
        let exit = peer.wait(false).await;
        assert_eq!(exit.status.unwrap().code(), Some(7));
        assert!(exit.stderr.ends_with("\nthe end\n"));
        assert!(exit.stderr.starts_with("a line of noise\n"), "{}", &exit.stderr[..40]);
        assert!((60_000..=65_536).contains(&exit.stderr.len()), "{}", exit.stderr.len());
    });
}

#[test]
fn it_is_read_though_nobody_polls_anything() {
    let (send, seen) = mpsc::channel();
    let runtime = super::runtime();
    let process = shell().stderr(move |line| {
        if line == "the end" {
            send.send(()).unwrap();
        }
    });
    let _connection = runtime.block_on(start(
        process,
        "yes noise | head -c 1000000 >&2; echo >&2; echo the end >&2; read x",
    ));
    seen.recv_timeout(TOO_LONG).unwrap();
}

#[test]
fn a_line_without_an_end_keeps_its_characters_whole() {
    let text = "yes 'ü' | head -n 100000 | tr -d '\\n' >&2";
    let (_, exit) = run(outcome(shell(), script(text)));
    assert!(exit.stderr.len() > 60_000 && exit.stderr.chars().all(|c| c == 'ü'));
}

#[test]
fn bytes_that_are_no_text_are_kept_as_well_as_can_be() {
    let (process, lines) = lines(shell());
    let (_, exit) = run(outcome(process, script("printf 'a\\377b\\r\\n\\nend' >&2")));
    assert_eq!(exit.stderr, "a\u{fffd}b\r\n\nend");
    assert_eq!(*lines.lock().unwrap(), ["a\u{fffd}b", "", "end"]);
}

#[test]
fn each_line_is_given_to_the_callback_also_the_last() {
    let (process, lines) = lines(shell());
    run(outcome(
        process,
        script(
            "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done >&2; printf partial >&2",
        ),
    ));
    let lines = lines.lock().unwrap();
    let mut expected: Vec<_> = (0..3000).map(|i| format!("line {i}")).collect();
    expected.push("partial".to_owned());
    assert_eq!(*lines, expected);
}

#[test]
fn a_line_that_is_too_long_comes_in_pieces() {
    let (process, lines) = lines(shell());
    run(outcome(
        process,
        script("yes x | head -n 300000 | tr -d '\\n' >&2; echo >&2; echo short >&2"),
    ));
    let lines = lines.lock().unwrap();
    assert_eq!(lines.concat().len(), 300_000 + "short".len());
    assert!(lines.iter().all(|line| line.len() <= 96 * 1024) && lines.last().unwrap() == "short");
}

#[test]
fn the_pieces_of_a_long_line_have_whole_characters() {
    let (process, lines) = lines(shell());
    let text = "for i in a aa aaa; do printf $i; yes '€' | head -n 50000 | tr -d '\\n'; echo; done";
    run(outcome(process, script(&format!("({text}) >&2"))));
    let lines = lines.lock().unwrap();
    assert!(lines.len() >= 6, "each comes in pieces: {}", lines.len());
    let expected = ["a", "aa", "aaa"].map(|start| start.to_owned() + &"€".repeat(50_000));
    assert!(lines.concat() == expected.concat(), "a character is cut");
}

#[test]
fn a_callback_that_panics_goes_on() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = lines.clone();
    let process = shell().stderr(move |line| {
        seen.lock().unwrap_or_else(|error| error.into_inner()).push(line.to_owned());
        assert_ne!(line, "bad", "on purpose");
    });
    let (_, exit) = run(outcome(process, script("echo bad >&2; echo good >&2; exit 1")));
    assert_eq!(exit.stderr, "bad\ngood\n");
    assert_eq!(*lines.lock().unwrap_or_else(|error| error.into_inner()), ["bad", "good"]);
}

#[test]
fn a_callback_that_is_busy_gets_its_lines_all_the_same() {
    let (give, take) = mpsc::channel::<()>();
    let take = Mutex::new(take);
    let seen = Arc::new(Mutex::new(0));
    let count = seen.clone();
    let process = shell().stderr(move |_| {
        // Nobody gives anything: this only takes its time, more of it in all than an idle pipe is
        // given.
        let _ = take.lock().unwrap().recv_timeout(Duration::from_millis(15));
        *count.lock().unwrap() += 1;
    });
    let (_, exit) = run(outcome(
        process,
        script("for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo $i; done >&2"),
    ));
    drop(give);
    assert!(exit.stderr.ends_with("\n20\n"));
    assert_eq!(*seen.lock().unwrap(), 20);
}

#[test]
fn a_callback_that_never_returns_does_not_hold_up_the_end() {
    let (release, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let process = shell().stderr(move |_| {
        let _ = wait.lock().unwrap().recv_timeout(TOO_LONG);
    });
    let (_, exit) = run(outcome(process, script("echo stuck >&2; exit 5")));
    assert_eq!((exit.status.unwrap().code(), exit.stderr.as_str()), (Some(5), "stuck\n"));
    drop(release);
}

#[test]
fn the_callback_is_dropped_at_the_end_even_when_a_daemon_has_the_pipe() {
    run(async {
        let (send, seen): (_, Receiver<String>) = mpsc::channel();
        let process = shell()
            .process_group(ProcessGroup::Inherited)
            .stderr(move |line| send.send(line.to_owned()).unwrap());
        let Connection { mut incoming, outgoing: _outgoing, mut peer } =
            start(process, "sleep 1000 & echo $!; echo one >&2").await;
        let left = pid(line(&mut *incoming).await);
        peer.wait(false).await;
        assert_eq!(seen.iter().collect::<Vec<_>>(), ["one"]);
        kill_process(left, Signal::KILL).unwrap();
    });
}

struct Panics;

impl Drop for Panics {
    fn drop(&mut self) {
        panic!("as the test wants it");
    }
}

#[test]
fn a_callback_whose_panic_panics_when_it_is_dropped_goes_on() {
    let (told, lines) = mpsc::channel();
    let process = shell().stderr(move |line| {
        told.send(line.to_owned()).unwrap();
        panic_any(Panics);
    });
    let (_, exit) = run(outcome(process, script("echo one >&2; echo two >&2; exit 3")));
    assert_eq!(exit.stderr, "one\ntwo\n");
    assert_eq!(lines.iter().collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn a_callback_that_panics_when_it_is_dropped_holds_up_nothing() {
    let captured = Panics;
    let process = shell().stderr(move |_| {
        let _captured = &captured;
    });
    let (_, exit) = run(outcome(process, script("echo the end >&2; exit 3")));
    assert_eq!((exit.status.unwrap().code(), &*exit.stderr), (Some(3), "the end\n"));
}
