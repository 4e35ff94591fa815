//! Lines on standard input.

use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::bytes::{Case, Next, Session, lines, words};
use super::subject::Subject;

pub(super) fn answers(subject: &Subject) -> Vec<(&'static str, String)> {
    lines().iter().map(|case| (case.name, ask(subject, case))).collect()
}

/// What a server of its own says to a case, and whether it answers the next request.
fn ask(subject: &Subject, case: &Case) -> String {
    let mut command = subject.stdio();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut session = Session::of(&mut child, case.how).unwrap();
    let patience = subject.patience();
    if let Some(version) = case.how.version() {
        // Some need long to start on a busy machine.
        let start = patience.next.max(Duration::from_secs(60));
        assert!(session.begin(version, start), "{} begins no session", subject.name);
    }
    let (mut said, last, end) = match case.how.ends() {
        true => (Vec::new(), &*case.bytes, ""),
        false => match session.ask(case, patience) {
            (said, Next::Answered) => (said, &b""[..], ""),
            (said, Next::Closed) => (said, &b""[..], "; exits"),
            (said, Next::Unanswered) => {
                child.kill().unwrap();
                (said, &b""[..], "; answers nothing more")
            }
        },
    };
    session.end(case.how, last, &child);
    let end = if has_ended(&mut child, patience.next) { end } else { "; does not end" };
    said.extend(session.rest());
    format!("{}{end}", words(&said, &case.ids))
}

/// Waits until a server ends, or kills it.
fn has_ended(child: &mut Child, patience: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    false
}
