//! What a call prints and saves while it runs and at its end.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use expect_test::expect;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use super::super::Owned;
use super::{check, command, run, transcript};
use crate::cli::Folder;

#[test]
fn a_whole_result_as_json() {
    check(
        &["call add a=2 b=40 --json", "call --json fail message=no"],
        &expect![[r#"
        $ fixture call add a=2 b=40 --json
        {"resultType":"complete","content":[{"type":"text","text":"42"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"0.1.0"}}}

        $ fixture call --json fail message=no
        {"resultType":"complete","content":[{"type":"text","text":"no"}],"isError":true,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fixture","version":"0.1.0"}}}
        [exit status: 1]
    "#]],
    );
    let whole = run("call test_image_content --json");
    let whole: Value = serde_json::from_slice(&whole.stdout).unwrap();
    assert_eq!(whole["content"][0]["type"], "image");
}

#[test]
fn pictures_and_sound_are_saved() {
    let folder = Folder::create();
    let lines = [
        "call test_image_content",
        "call test_image_content",
        "call test_audio_content",
        "call test_multiple_content_types",
    ];
    let seen = lines
        .map(|line| transcript(line, &command(line).current_dir(folder.path()).output().unwrap()));
    expect![[r#"
        $ fixture call test_image_content
        [stderr] saved test_image_content-1.png (69 bytes)

        $ fixture call test_image_content
        [stderr] saved test_image_content-2.png (69 bytes)

        $ fixture call test_audio_content
        [stderr] saved test_audio_content-1.wav (44 bytes)

        $ fixture call test_multiple_content_types
        Multiple content types test:
        {"test":"data","value":123}
        [stderr] saved test_multiple_content_types-1.png (69 bytes)
    "#]]
    .assert_eq(&seen.join("\n"));
    let saved = fs::read(folder.path().join("test_image_content-2.png")).unwrap();
    assert!(saved.starts_with(b"\x89PNG"), "{saved:?}");
}

#[test]
fn logs_and_what_tools_print_go_to_standard_error() {
    check(
        &["call test_tool_with_logging"],
        &expect![[r#"
        $ fixture call test_tool_with_logging
        done
        [stderr] info: Tool execution started
        [stderr] info: Tool processing data
        [stderr] info: Tool execution completed
    "#]],
    );
    let printed = run("call println");
    assert_eq!(printed.stdout, b"printed\n");
    let stderr = String::from_utf8(printed.stderr).unwrap();
    assert!(stderr.contains("this line is not JSON\nnor is this one\n"), "{stderr}");
}

#[test]
fn a_reader_that_wants_no_more_is_no_failure() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command("call big bytes=1000000").stdout(writer).output().unwrap();
    assert_eq!(transcript("", &output), "$ fixture \n");
}

#[test]
fn a_signal_ends_a_program_whose_result_nobody_reads() {
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut called = command("call big bytes=1000000");
    let mut child = Owned(called.stdin(Stdio::null()).stdout(writer).spawn().unwrap());
    // The rest does not fit in a pipe.
    reader.read_exact(&mut [0]).unwrap();
    kill_process(Pid::from_child(&child.0), Signal::TERM).unwrap();
    let status = child.0.wait().unwrap();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()), "{status}");
}

#[test]
fn a_terminal_shows_progress_and_a_signal_cancels_the_call() {
    for (signal, status) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        assert_eq!(status_after(signal), status);
    }
}

/// What a tool says is for models, and may be of others.
#[test]
fn no_result_commands_the_terminal_that_shows_it() {
    for (line, expected) in [
        ("call echo 'text=a\u{1b}[2J\r\nb'", "a\\x1b[2J\r\nb\r\n"),
        ("call fail 'message=a\u{1b}[2J\nb'", "a\\x1b[2J\r\nb\r\n"),
    ] {
        let (mut terminal, slave) = terminal();
        let mut called = command(line);
        called.stdin(Stdio::null()).stdout(slave.try_clone().unwrap()).stderr(slave);
        let mut child = Owned(called.spawn().unwrap());
        drop(called);
        let mut seen = Vec::new();
        // On Linux reading fails once nobody has the other end.
        let _ = terminal.read_to_end(&mut seen);
        child.0.wait().unwrap();
        assert_eq!(String::from_utf8_lossy(&seen), expected, "{line}");
    }
    let piped = run("call echo 'text=a\u{1b}[2J\r\nb'");
    assert_eq!(piped.stdout, b"a\x1b[2J\r\nb\n");
}

/// Both ends of a terminal.
fn terminal() -> (File, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let path = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    (File::from(terminal), File::options().read(true).write(true).open(path).unwrap())
}

/// The exit status of a call that a signal has cancelled.
fn status_after(signal: Signal) -> i32 {
    let (mut terminal, stderr) = terminal();
    let mut called = command("call until_cancelled");
    called.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr);
    let mut child = Owned(called.spawn().unwrap());
    let mut seen = String::new();
    let mut read = |wanted: &str| {
        while !seen.contains(wanted) {
            let mut chunk = [0; 256];
            let length = terminal.read(&mut chunk).unwrap();
            seen.push_str(std::str::from_utf8(&chunk[..length]).unwrap());
        }
        seen.clone()
    };
    let bar = read("running");
    assert_eq!(bar, "\r[##------------------]  10% running");
    kill_process(Pid::from_child(&child.0), signal).unwrap();
    let end = read("cancelled");
    assert_eq!(end.trim_start_matches(&*bar).trim(), "cancelled");
    let status = child.0.wait().unwrap();
    let mut stdout = String::new();
    child.0.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(stdout, "");
    status.code().unwrap()
}

#[test]
fn without_a_terminal_there_is_no_progress() {
    check(
        &["call test_tool_with_progress"],
        &expect![[r#"
        $ fixture call test_tool_with_progress
        done
    "#]],
    );
}
