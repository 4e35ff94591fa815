use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::process::{Pid, Signal, getpgid, kill_process};

use super::{Connection, eventually, is_running, line, pid, rest, run, shell, start};
use crate::agent::transport::group::has_others;
use crate::agent::transport::{Process, ProcessGroup};

/// Starts a process that holds all three pipes, says its id and ends.
const LEAVES: &str = "sleep 1000 <&0 & echo $!; echo last words >&2; exit 3";
/// The same, and what is left does not mind SIGTERM.
const LEAVES_STUBBORN: &str = "(trap '' TERM; while :; do sleep 0.05; done) & echo $!; exit 3";

fn with_group(group: ProcessGroup) -> Process {
    shell().process_group(group)
}

#[test]
fn what_is_left_of_the_group_is_ended() {
    for text in [LEAVES, LEAVES_STUBBORN] {
        run(async {
            let Connection { mut incoming, outgoing: _outgoing, mut peer } =
                start(with_group(ProcessGroup::Own), text).await;
            let left = pid(line(&mut *incoming).await);
            assert_eq!(peer.wait(false).await.status.unwrap().code(), Some(3));
            eventually(|| !is_running(left));
            assert_eq!(rest(&mut *incoming).await, "");
        });
    }
}

/// While the rest of the group is not killed yet, the CLI is not reaped: otherwise the signal could
/// reach another group of the same id.
#[cfg(target_os = "linux")]
#[test]
fn no_id_is_free_while_it_gets_signals() {
    /// Whether it has ended or has got SIGKILL.
    fn is_killed(pid: rustix::process::Pid) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let pending = status.lines().filter_map(|line| {
            let (name, mask) = line.split_once(":\t")?;
            matches!(name, "SigPnd" | "ShdPnd").then(|| u64::from_str_radix(mask, 16).ok())?
        });
        !is_running(pid) || pending.fold(0, |all, mask| all | mask) & 1 << 8 != 0
    }
    run(async {
        let Connection { mut incoming, outgoing: _outgoing, peer: _peer } =
            start(with_group(ProcessGroup::Own), &LEAVES_STUBBORN.replace("$!", "$$ $!")).await;
        let ids = line(&mut *incoming).await;
        let (cli, left) = ids.split_once(' ').map(|(cli, left)| (pid(cli), pid(left))).unwrap();
        eventually(|| {
            let is_free = super::is_gone(cli);
            assert!(!is_free || is_killed(left), "the CLI is reaped before the rest is killed");
            is_free
        });
    });
}

#[test]
fn what_has_ended_and_is_not_reaped_is_not_waited_for() {
    let sleep = |group| {
        let mut command = Command::new("sleep");
        command.arg("1000").process_group(group).spawn().unwrap()
    };
    let mut known = sleep(0);
    let group = Pid::from_child(&known);
    let mut other = sleep(group.as_raw_nonzero().get());
    assert!(has_others(group, group));
    other.kill().unwrap();
    eventually(|| !is_running(Pid::from_child(&other)));
    assert!(!has_others(group, group));
    known.kill().unwrap();
    for mut ended in [known, other] {
        ended.wait().unwrap();
    }
}

#[test]
fn all_of_the_group_is_ended_with_a_cli_that_has_to_be_killed() {
    run(async {
        let text =
            "trap '' TERM; (while :; do sleep 0.05; done) & echo $!; while :; do sleep 0.05; done";
        let mut connection = start(with_group(ProcessGroup::Own), text).await;
        let left = pid(line(&mut *connection.incoming).await);
        drop(connection);
        eventually(|| !is_running(left));
    });
}

#[test]
fn a_daemon_that_holds_the_pipes_holds_up_nothing() {
    run(async {
        let Connection { mut incoming, outgoing: _outgoing, mut peer } =
            start(with_group(ProcessGroup::Inherited), LEAVES).await;
        let left = pid(line(&mut *incoming).await);
        let exit = peer.wait(false).await;
        assert_eq!((exit.status.unwrap().code(), exit.stderr.as_str()), (Some(3), "last words\n"));
        assert_eq!(rest(&mut *incoming).await, "", "the output ends though the pipe does not");
        assert!(is_running(left), "it is not in a group of ours");
        kill_process(left, Signal::KILL).unwrap();
    });
}

#[test]
fn a_read_that_waits_ends_with_the_cli() {
    run(async {
        let text = "sleep 1000 & echo $!; read x; echo last; exit 0";
        let Connection { mut incoming, mut outgoing, peer: _peer } =
            start(with_group(ProcessGroup::Inherited), text).await;
        let left = pid(line(&mut *incoming).await);
        let reading = tokio::spawn(async move { rest(&mut *incoming).await });
        tokio::task::yield_now().await;
        outgoing.end().await.unwrap();
        assert_eq!(reading.await.unwrap(), "last\n");
        kill_process(left, Signal::KILL).unwrap();
    });
}

#[test]
fn the_group_is_as_it_was_chosen() {
    run(async {
        for (group, is_own) in [(ProcessGroup::Own, true), (ProcessGroup::Inherited, false)] {
            let connection = start(with_group(group), "read x").await;
            let id = pid(connection.peer.id().unwrap());
            assert_eq!(getpgid(Some(id)).unwrap() != getpgid(None).unwrap(), is_own);
        }
    });
}
