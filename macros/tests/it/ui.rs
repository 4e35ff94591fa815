//! Every mistake in `tests/ui/fail` has one message, in the right place, and what is in
//! `tests/ui/pass` is none. `TRYBUILD=overwrite` writes the messages again.

#[allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    clippy::pedantic,
    reason = "the cases look as users write them"
)]
#[path = "../ui/pass/mod.rs"]
mod pass;

use std::process::Command;

/// Messages of the compiler differ between releases, so only one release checks them.
const RELEASE: &str = "rustc 1.95.";

#[test]
fn mistakes_are_told_once_and_where_they_are() {
    let version = Command::new("rustc").arg("-V").output().unwrap().stdout;
    let version = String::from_utf8_lossy(&version);
    if !version.starts_with(RELEASE) {
        eprintln!("left out: the messages are those of {RELEASE}x, and this is {version}");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}
