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

use std::env;
use std::io::{self, Write as _};
use std::process::Command;

/// Messages of the compiler differ between releases, so only one release checks them: the one with
/// which the workflow runs all tests.
const RELEASE: &str = "rustc 1.95.";

#[test]
fn mistakes_are_told_once_and_where_they_are() {
    let version = Command::new("rustc").arg("-V").output().unwrap().stdout;
    let version = String::from_utf8_lossy(version.trim_ascii());
    if !version.starts_with(RELEASE) {
        let why = format!("the messages are those of {RELEASE}x, and this is {version}");
        let is_required = env::var_os("TOOLWRIGHT_REQUIRE_PEERS").is_some_and(|value| value == "1");
        assert!(!is_required, "{why}");
        // Not `eprintln!`, which the test harness hides when a test passes.
        let _ = writeln!(io::stderr(), "left out: {why}");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/fail/*.rs");
}
