//! The command line of the fixture: what a person types and reads.

mod calls;
mod pages;
mod results;

use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};

use expect_test::Expect;

use super::fixture;

/// The fixture with the words of a line as its arguments; quotes keep spaces in a word.
fn command(line: &str) -> Command {
    let mut command = fixture();
    let mut is_quoted = false;
    let words = line.split(|c: char| {
        is_quoted ^= c == '\'';
        c == ' ' && !is_quoted
    });
    let words = words.filter(|word| !word.is_empty());
    command.args(words.map(|word| word.replace('\'', "")));
    command
}

fn run(line: &str) -> Output {
    command(line).stdin(Stdio::null()).output().unwrap()
}

/// What a person sees: the line, both outputs, and an exit status other than 0.
fn transcript(line: &str, output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut seen = format!("$ fixture {line}\n{}", text(&output.stdout));
    for line in text(&output.stderr).lines() {
        let _ = writeln!(seen, "[stderr] {line}");
    }
    if !output.status.success() {
        let _ = writeln!(seen, "[{}]", output.status);
    }
    seen
}

fn check(lines: &[&str], expected: &Expect) {
    let seen = lines.iter().map(|line| transcript(line, &run(line)));
    expected.assert_eq(&seen.collect::<Vec<_>>().join("\n"));
}
