//! `http::Gate` with damaged heads and bodies: each verdict is checked against a session.

mod oracle;
mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use self::oracle::check;
use self::requests::{Requests, Sent};
use crate::setting;

const KEPT: &str = include_str!("../corpus/gate.txt");

/// A request as one line: its method, its headers and its body, escaped.
fn written(sent: &Sent) -> String {
    let mut line = sent.head.method.to_string();
    for (name, value) in &sent.head.headers {
        line += &format!("\t{name}:{}", value.as_bytes().escape_ascii());
    }
    format!("{line}\t\t{}", sent.body.escape_ascii())
}

fn read(line: &str) -> Sent {
    let (head, body) = line.split_once("\t\t").unwrap();
    let mut parts = head.split('\t');
    let mut request = http::Request::builder().method(parts.next().unwrap()).uri("/mcp");
    for header in parts {
        let (name, value) = header.split_once(':').unwrap();
        request = request.header(name, unescaped(value));
    }
    let (head, ()) = request.body(()).unwrap().into_parts();
    Sent { head, body: unescaped(body) }
}

/// The bytes that `escape_ascii` has written.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next().unwrap() {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits: String = rest.by_ref().take(2).map(char::from).collect();
                    u8::from_str_radix(&digits, 16).unwrap()
                }
                byte => byte,
            },
            byte => byte,
        });
    }
    bytes
}

/// Sends so many random requests. Returns each kind of verdict, with its shortest request.
fn fuzz(seed: u64, count: u64) -> BTreeMap<String, String> {
    let mut requests = Requests::new(seed);
    let mut verdicts = BTreeMap::<String, String>::new();
    for number in 0..count {
        let sent = requests.next();
        let checked = catch_unwind(AssertUnwindSafe(|| check(&sent)));
        let fault = match checked {
            Ok(Ok(verdict)) => {
                let line = written(&sent);
                let shortest = verdicts.entry(verdict).or_insert_with(|| line.clone());
                if line.len() < shortest.len() {
                    *shortest = line;
                }
                continue;
            }
            Ok(Err(fault)) => fault,
            Err(_) => "a panic".to_owned(),
        };
        panic!("{fault}\n  request {number} of seed {seed}:\n{}", written(&sent));
    }
    verdicts
}

/// One request of each verdict, and each request that was once judged wrongly.
#[test]
fn the_kept_requests_are_judged_rightly() {
    let mut verdicts = BTreeSet::new();
    for line in KEPT.lines() {
        let sent = read(line);
        assert_eq!(written(&sent), line);
        verdicts.insert(check(&sent).unwrap_or_else(|fault| panic!("{fault}\n{line}")));
    }
    assert!(verdicts.len() > 20, "{verdicts:?}");
}

#[test]
fn random_requests_are_judged_rightly() {
    fuzz(setting("FUZZ_SEED", 1), 20_000);
}

/// `FUZZ_REQUESTS` requests, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_requests_are_judged_rightly() {
    let (begin, count) = (Instant::now(), setting("FUZZ_REQUESTS", 1_000_000));
    let verdicts = fuzz(setting("FUZZ_SEED", 1_000), count);
    eprintln!("{count} requests in {:?}: {:?}", begin.elapsed(), verdicts.keys());
    if let Some(kept) = std::env::var_os("FUZZ_KEEP") {
        let lines: Vec<_> = verdicts.into_values().collect();
        std::fs::write(kept, lines.join("\n") + "\n").unwrap();
    }
}
