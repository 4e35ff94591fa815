//! Arguments, and what is wrong with them.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use expect_test::expect;
use serde_json::json;
use toolwright::testing::TestClient;

use super::{check, command, run, transcript};
use crate::cli::Folder;

#[test]
fn arguments_in_each_form() {
    check(
        &[
            "call add a=2 b=40",
            "call add '{\"a\": 2, \"b\": 40}'",
            "call add ' {\"a\": 2, \"b\": 40}'",
            "call echo text=5",
            "call echo 'text=two words'",
            "call search query=x filters='[{\"field\":\"f\",\"op\":\"eq\",\"value\":1}]' options.page.offset=0 options.page.size=5",
            "call stats numbers=1 numbers=2.5",
            "call spin ms=1",
        ],
        &expect![[r#"
            $ fixture call add a=2 b=40
            42

            $ fixture call add '{"a": 2, "b": 40}'
            42

            $ fixture call add ' {"a": 2, "b": 40}'
            42

            $ fixture call echo text=5
            5

            $ fixture call echo 'text=two words'
            two words

            $ fixture call search query=x filters='[{"field":"f","op":"eq","value":1}]' options.page.offset=0 options.page.size=5
            1

            $ fixture call stats numbers=1 numbers=2.5
            [2.0,3.5]

            $ fixture call spin ms=1
            ok
        "#]],
    );
}

#[test]
fn arguments_from_standard_input_and_from_files() {
    let add = |input: &str| {
        let mut child = command("call add -")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    assert_eq!(add("{\n  \"a\": 2,\n  \"b\": 40\n}\n").stdout, b"42\n");
    expect![[r#"
        $ fixture call add -
        [stderr] fixture: the arguments must be a JSON object
        [stderr] Try `fixture call add --help`.
        [exit status: 2]
    "#]]
    .assert_eq(&transcript("call add -", &add("[2, 40]\n")));

    for name in ["-", "/dev/stdin", "/dev/fd/0"] {
        let mut child = command(&format!("call echo text=@{name}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"a note\n").unwrap();
        assert_eq!(child.wait_with_output().unwrap().stdout, b"a note\n", "{name}");
    }

    check(
        &["call add a=@- b=@/dev/stdin"],
        &expect![[r#"
            $ fixture call add a=@- b=@/dev/stdin
            [stderr] fixture: the file `/dev/stdin` cannot be read: standard input was read already; `b=@@/dev/stdin` is the text `@/dev/stdin`
            [stderr] Try `fixture call add --help`.
            [exit status: 2]
        "#]],
    );

    let folder = Folder::create();
    fs::write(folder.path().join("note"), "a note\n").unwrap();
    let echo = |value: &str| {
        let mut echo = command(&format!("call echo text={value}"));
        echo.current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(echo("@note").stdout, b"a note\n");
    assert_eq!(echo("@@note").stdout, b"@note\n");
    expect![[r#"
        $ fixture call echo text=@gone
        [stderr] fixture: the file `gone` cannot be read: No such file or directory (os error 2); `text=@@gone` is the text `@gone`
        [stderr] Try `fixture call echo --help`.
        [exit status: 2]
    "#]]
    .assert_eq(&transcript("call echo text=@gone", &echo("@gone")));
}

#[test]
fn an_input_without_an_end_is_refused() {
    let zeros = || fs::File::open("/dev/zero").unwrap();
    let seen = ["call echo text=@/dev/zero", "call echo -"].map(|line| {
        let output = command(line).stdin(zeros()).output().unwrap();
        transcript(line, &output)
    });
    expect![[r#"
        $ fixture call echo text=@/dev/zero
        [stderr] fixture: the file `/dev/zero` cannot be read: it has more than 67108864 bytes; `text=@@/dev/zero` is the text `@/dev/zero`
        [stderr] Try `fixture call echo --help`.
        [exit status: 2]

        $ fixture call echo -
        [stderr] standard input cannot be read: it has more than 67108864 bytes
        [exit status: 1]
    "#]]
    .assert_eq(&seen.join("\n"));
}

#[test]
fn what_cannot_be_done_is_said() {
    check(
        &[
            "lst",
            "call",
            "call ad a=1",
            "call subtract",
            "call add 2 40",
            "call add {",
            "call add a=1 a=2",
            "call add a=two c=1",
            "call fail 'message=no such shelf'",
            "call quick_timeout",
            "completions csh",
        ],
        &expect![[r#"
            $ fixture lst
            [stderr] fixture: there is no command `lst`: did you mean `list`?
            [stderr] Try `fixture --help`.
            [exit status: 2]

            $ fixture call
            [stderr] fixture: `call` needs the name of a tool
            [stderr] Try `fixture --help`.
            [exit status: 2]

            $ fixture call ad a=1
            [stderr] fixture: there is no tool `ad`: did you mean `add`?
            [stderr] Try `fixture list`.
            [exit status: 2]

            $ fixture call subtract
            [stderr] fixture: there is no tool `subtract`
            [stderr] Try `fixture list`.
            [exit status: 2]

            $ fixture call add 2 40
            [stderr] fixture: `2` is not `key=value`; a JSON object or `-` stands alone
            [stderr] Try `fixture call add --help`.
            [exit status: 2]

            $ fixture call add {
            [stderr] fixture: the arguments are not JSON: EOF while parsing an object at line 1 column 1
            [stderr] Try `fixture call add --help`.
            [exit status: 2]

            $ fixture call add a=1 a=2
            [stderr] fixture: `a` is given more than once
            [stderr] Try `fixture call add --help`.
            [exit status: 2]

            $ fixture call add a=two c=1
            [stderr] Invalid arguments for `add`:
            [stderr] - /a: expected number, got string "two"
            [stderr] - /c: unknown, known are `a`, `b`
            [stderr] - /b: missing, expected number
            [exit status: 1]

            $ fixture call fail 'message=no such shelf'
            [stderr] no such shelf
            [exit status: 1]

            $ fixture call quick_timeout
            [stderr] The tool `quick_timeout` was stopped: it did not finish within 50ms.
            [exit status: 1]

            $ fixture completions csh
            [stderr] fixture: there are no completions for `csh`: did you mean `zsh`?
            [stderr] Try `fixture --help`.
            [exit status: 2]
        "#]],
    );
}

#[test]
fn a_call_that_is_a_task_elsewhere_is_waited_for() {
    check(
        &["call failing_job", "call slow_compute seconds=1 label=it"],
        &expect![[r#"
            $ fixture call failing_job
            [stderr] the job has failed
            [exit status: 1]

            $ fixture call slow_compute seconds=1 label=it
            it: done
        "#]],
    );
}

#[test]
fn a_panic_is_a_failure_of_the_tool() {
    let output = run("call panic");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let last = "\nThe tool `panic` failed: an internal error stopped it.\n";
    assert!(stderr.ends_with(last), "{stderr}");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]));
}

#[test]
fn a_registry_that_must_be_awaited() {
    let set_up = |mut command: Command| {
        command.env("FIXTURE_SET_UP", "async").stdin(Stdio::null());
        command
    };
    let output = set_up(command("call add a=2 b=40")).output().unwrap();
    assert_eq!(transcript("", &output), "$ fixture \n42\n");
    let narrow = "--tools echo call add a=2 b=40";
    let error = String::from_utf8(set_up(command(narrow)).output().unwrap().stderr).unwrap();
    assert!(error.starts_with("fixture: there is no tool `add`\n"), "{error}");
    for line in ["serve", ""] {
        let mut client = TestClient::spawn(&mut set_up(command(line))).unwrap();
        client.initialize().unwrap();
        let sum = client.call_tool("add", json!({"a": 2, "b": 40})).unwrap();
        assert_eq!(sum["content"][0]["text"], "42");
        assert!(client.close().unwrap().success());
    }
}

#[test]
fn a_registry_that_cannot_be_built_is_said_at_once() {
    let stuck = "it is stuck\n";
    let inside = "main() starts a runtime of its own: call it outside of #[tokio::main], or await \
                  serve(registry) inside\n";
    for (kind, reason) in [("stuck", stuck), ("inside", inside)] {
        for line in ["", "list", "call add a=2 b=40", "--http 127.0.0.1:0"] {
            let mut command = command(line);
            let output = command.env("FIXTURE_SET_UP", kind).stdin(Stdio::null()).output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!((&*stderr, output.status.code()), (reason, Some(1)), "{kind}: {line}");
        }
    }
}
