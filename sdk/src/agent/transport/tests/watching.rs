//! The script of the watcher in every shell that is installed.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Signal, kill_process};

use super::{Folder, eventually, is_running, pid};
use crate::agent::transport::watcher::SCRIPT;

const SHELLS: [&[&str]; 8] = [
    &["/bin/sh"],
    &["/bin/dash"],
    &["/bin/bash"],
    &["/bin/bash", "--posix"],
    &["/bin/zsh", "--emulate", "sh"],
    &["/bin/mksh"],
    &["/bin/ksh"],
    &["/bin/busybox", "sh"],
];

/// A process in a group of its own, in which it is the only one, and the line that it says.
fn group(script: &str) -> (Child, String) {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]).process_group(0).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    (child, line)
}

/// Gives a shell the script and the lines, and waits for its end.
fn watch(shell: &[&str], script: &str, lines: &str) {
    let mut command = Command::new(shell[0]);
    command.args(&shell[1..]).args(["-c", script]).env_clear().env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(process.wait().unwrap().success(), "{shell:?}");
}

#[test]
fn what_is_watched_ends_and_nothing_else() {
    for shell in SHELLS.into_iter().filter(|shell| Path::new(shell[0]).exists()) {
        let folder = Folder::new("watching");
        let [ours, removed] = ["é \n*\n", "removed"].map(|end| {
            let folder = folder.join(format!("toolwright-agent-{end}"));
            fs::create_dir_all(folder.join("inner")).unwrap();
            folder
        });
        let [mut asked, mut killed, mut left] = [
            group("echo; exec sleep 1000"),
            group("trap '' TERM; echo; while :; do sleep 0.05; done"),
            group("echo; exec sleep 1000"),
        ]
        .map(|(process, _)| process);
        watch(
            shell,
            SCRIPT,
            &format!(
                "+{0}/toolwright-agent-\\0303\\0251\\0040\\0012\\0052\\0012\n+{0}\n+{1}\n\
                 +-{2}:1:2\n+-{4}:0:0\n+-{3}:0:1\n--{4}:0:0\n-{1}\n+-{4}:0:0",
                folder.display(),
                removed.display(),
                asked.id(),
                killed.id(),
                left.id(),
            ),
        );
        assert!(!ours.exists() && removed.exists(), "{shell:?}");
        assert_eq!(asked.wait().unwrap().signal(), Some(15), "{shell:?}");
        assert_eq!(killed.wait().unwrap().signal(), Some(9), "{shell:?}");
        assert!(left.try_wait().unwrap().is_none(), "{shell:?}, which read a line without an end");
        left.kill().unwrap();
        left.wait().unwrap();
    }
}

#[test]
fn what_is_killed_takes_all_that_it_has_started_with_it() {
    // Says the ids of a process in a group of its own, whose name is a trap, and of its child.
    const TREE: &str = "exec /bin/bash -c 'trap \"\" TERM; set -m; cd $0;
        ./\"odd) S 1 (\" -c \"sleep 1000 & echo \\$\\$ \\$!; wait\" & wait'";
    let folder = Folder::new("killing");
    symlink("/bin/bash", folder.join("odd) S 1 (")).unwrap();
    let tree = TREE.replace("$0", folder.to_str().unwrap());
    // Where there is no /proc, `ps` tells of the processes.
    let elsewhere = SCRIPT.replace("/proc/self/stat", "/nowhere");
    for shell in SHELLS.into_iter().filter(|shell| Path::new(shell[0]).exists()) {
        for (script, sign) in [(SCRIPT, "-"), (SCRIPT, ""), (&*elsewhere, "-")] {
            let (mut root, ids) = group(&tree);
            let (mut other, _) = group("echo; exec sleep 1000");
            watch(shell, script, &format!("+{sign}{}:0:0\n", root.id()));
            assert_eq!(root.wait().unwrap().signal(), Some(9), "{shell:?}");
            let ids: Vec<_> = ids.split_whitespace().map(pid).collect();
            assert_eq!(ids.len(), 2, "{ids:?}");
            eventually(|| !ids.iter().any(|id| is_running(*id)));
            assert!(other.try_wait().unwrap().is_none(), "{shell:?}");
            other.kill().unwrap();
            other.wait().unwrap();
        }
    }
}

#[test]
fn only_what_is_named_is_killed_where_proc_has_the_ids_of_others() {
    let script = SCRIPT.replace("read -r own rest </proc/self/stat", "own=1");
    for shell in SHELLS.into_iter().filter(|shell| Path::new(shell[0]).exists()) {
        let (mut root, child) = group("set -m; sleep 1000 & echo $!; wait");
        watch(shell, &script, &format!("+{}:0:0\n", root.id()));
        assert_eq!(root.wait().unwrap().signal(), Some(9), "{shell:?}");
        let child = pid(child.trim());
        assert!(is_running(child), "{shell:?}");
        kill_process(child, Signal::KILL).unwrap();
    }
}
