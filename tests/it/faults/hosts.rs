//! Programs that end while their runs are open, in every way in which a program can end.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{self, Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::fake::Fake;
use super::{TOO_LONG, says};
use crate::proc::is_gone;

/// How the program is told to end.
#[derive(Clone, Copy)]
enum End {
    Step(&'static str),
    Signal(Signal),
}

/// What the CLI does at its end.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cli {
    /// It ends with its input.
    Good,
    /// It ignores the end of its input.
    Deaf,
    /// It ignores SIGTERM, too, and so does a child of its.
    Stubborn,
}

/// A program with runs, and all that it starts.
struct Host {
    process: Child,
    steps: ChildStdin,
    output: BufReader<ChildStdout>,
    /// A variable of the program, its CLIs and what those start.
    mark: String,
    /// The folder for its temporary files.
    folder: PathBuf,
    /// Its children once its runs had begun: the library's shells have no mark.
    noted: Vec<Pid>,
}

impl Host {
    fn start(kind: &str, count: usize, group: &str, cli: Cli) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let mark = format!("{}-{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        // A name that a shell must not take apart.
        let folder = env::temp_dir().join(format!("hosts-{mark} \\'*\n é"));
        fs::create_dir_all(&folder).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-host"));
        command.args([kind, &count.to_string(), group, env!("CARGO_BIN_EXE_fake-cli")]);
        command.env_clear().env("FAKE_CLI_MARK", &mark).env("FAKE_CLI_SCRIPT", cli.script());
        command.env("TMPDIR", &folder).stderr(Stdio::null());
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let steps = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self {
            process,
            steps,
            output,
            mark: format!("FAKE_CLI_MARK={mark}"),
            folder,
            noted: Vec::new(),
        }
    }

    fn step(&mut self, step: &str) {
        self.steps.write_all(format!("{step}\n").as_bytes()).unwrap();
    }

    fn says(&mut self, expected: &str) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end(), expected);
    }

    /// Begins its runs.
    fn runs(&mut self) {
        self.step("run");
        self.says("ready");
        self.noted = self.children().into_iter().map(|(pid, _)| pid).collect();
    }

    fn ends(&mut self, end: End) {
        match end {
            End::Step(step) => self.step(step),
            End::Signal(signal) => kill_process(Pid::from_child(&self.process), signal).unwrap(),
        }
    }

    /// Fails unless the program ends, and soon all that it has started, and its files.
    fn leaves_nothing(mut self) {
        self.process.wait().unwrap();
        let since = Instant::now();
        loop {
            let left = (self.left(), self.files());
            if left == (Vec::new(), 0) {
                return;
            }
            assert!(since.elapsed() < TOO_LONG, "{left:?} are left");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn files(&self) -> usize {
        fs::read_dir(&self.folder).unwrap().count()
    }

    /// The processes with the mark. One that has ended has no variables.
    fn processes(&self) -> Vec<Pid> {
        let has_mark = |pid: &Pid| {
            let variables = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|variable| variable == self.mark.as_bytes())
        };
        processes().filter(has_mark).collect()
    }

    /// The processes with the mark, and its children that have not ended.
    fn left(&self) -> Vec<Pid> {
        let is_there = |pid: &&Pid| !is_gone(pid.as_raw_nonzero().get().cast_unsigned());
        let noted = self.noted.iter().filter(is_there);
        self.processes().into_iter().chain(noted.copied()).collect()
    }

    /// The child processes, whatever their variables, and their command lines.
    fn children(&self) -> Vec<(Pid, String)> {
        let parent = format!("PPid:\t{}\n", self.process.id());
        let is_child = |pid: &Pid| {
            fs::read_to_string(format!("/proc/{pid}/status")).is_ok_and(|it| it.contains(&parent))
        };
        let with_line = |pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            (pid, String::from_utf8_lossy(&line).into_owned())
        };
        processes().filter(is_child).map(with_line).collect()
    }

    /// Waits for the watcher: a program that has just been started has no command line yet.
    fn watcher(&self) -> Pid {
        let mut watcher = None;
        let is_there = || {
            watcher = self.children().into_iter().find(|(_, line)| is_watcher(line));
            watcher.is_some()
        };
        until(is_there, "there is no watcher");
        watcher.unwrap().0
    }
}

fn processes() -> impl Iterator<Item = Pid> {
    let names = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name());
    names.filter_map(|name| Pid::from_raw(name.to_str()?.parse().ok()?))
}

impl Drop for Host {
    fn drop(&mut self) {
        for process in self.left() {
            let _ = kill_process(process, Signal::KILL);
        }
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Cli {
    fn script(self) -> String {
        let fake = match self {
            Self::Good | Self::Deaf => Fake::initialized(),
            Self::Stubborn => Fake::new().then("ignore_sigterm").initialize(json!({})),
        };
        let fake = if self == Self::Stubborn { fake.with("grandchild", false) } else { fake };
        let fake = fake.say(says("I am there"));
        let fake = if self == Self::Good { fake } else { fake.then("sleep") };
        Value::from(fake.steps()).to_string()
    }
}

/// All CLIs and kinds of runs at once, with one way to end.
fn a_host_that_ends_by(end: End) {
    let kinds = ["query", "client"];
    let mut hosts: Vec<_> = [Cli::Good, Cli::Deaf, Cli::Stubborn]
        .into_iter()
        .flat_map(|cli| kinds.map(|kind| (cli, Host::start(kind, 1, "own", cli))))
        .collect();
    for (cli, host) in &mut hosts {
        host.runs();
        // A good one may have ended already: the input of a query ends after the prompt.
        let least = if *cli == Cli::Good { 1 } else { 2 };
        assert!(host.processes().len() >= least, "the program and its CLI have the mark");
        assert_eq!(host.files(), 1);
        host.ends(end);
    }
    hosts.into_iter().for_each(|(_, host)| host.leaves_nothing());
}

#[test]
fn a_host_that_returns_from_main_leaves_nothing() {
    a_host_that_ends_by(End::Step("return"));
}

#[test]
fn a_host_that_exits_leaves_nothing() {
    a_host_that_ends_by(End::Step("exit"));
}

#[test]
fn a_host_that_panics_leaves_nothing() {
    a_host_that_ends_by(End::Step("panic"));
}

#[test]
fn a_host_that_aborts_leaves_nothing() {
    a_host_that_ends_by(End::Step("abort"));
}

#[test]
fn a_host_that_gets_sigterm_leaves_nothing() {
    a_host_that_ends_by(End::Signal(Signal::TERM));
}

#[test]
fn a_host_that_gets_sigkill_leaves_nothing() {
    a_host_that_ends_by(End::Signal(Signal::KILL));
}

#[test]
fn a_host_that_is_killed_while_it_starts_its_cli_leaves_nothing() {
    for moment in 0..40 {
        let mut host = Host::start("client", 1, "own", Cli::Stubborn);
        host.step("run");
        // Another moment each time; what is asserted holds at any.
        thread::sleep(Duration::from_micros(250 * moment));
        host.ends(End::Signal(Signal::KILL));
        host.leaves_nothing();
    }
}

#[test]
fn a_cli_in_the_group_of_its_host_is_ended_too() {
    let mut host = Host::start("client", 1, "inherited", Cli::Deaf);
    host.runs();
    host.ends(End::Signal(Signal::KILL));
    host.leaves_nothing();
}

#[test]
fn many_runs_of_a_host_are_ended_at_once() {
    let mut host = Host::start("client", 64, "own", Cli::Deaf);
    host.runs();
    let watchers = host.children().iter().filter(|(_, line)| is_watcher(line)).count();
    assert_eq!((host.processes().len(), host.files(), watchers), (65, 64, 1));
    host.ends(End::Signal(Signal::KILL));
    host.leaves_nothing();
}

fn is_watcher(line: &str) -> bool {
    line.trim_end_matches('\0').ends_with("toolwright-watcher")
}

/// Waits until something is so; `complaint` says what is wrong if that takes too long.
fn until(mut is_so: impl FnMut() -> bool, complaint: &str) {
    let since = Instant::now();
    while !is_so() {
        assert!(since.elapsed() < TOO_LONG, "{complaint}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// SIGTERM is the last of the signals that the watcher ignores.
fn ignores_sigterm(pid: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap_or_default();
    ignored & 1 << (Signal::TERM.as_raw() - 1) != 0
}

#[test]
fn a_watcher_that_died_is_replaced() {
    let mut host = Host::start("client", 1, "own", Cli::Stubborn);
    host.runs();
    let watcher = host.watcher();
    kill_process(watcher, Signal::KILL).unwrap();
    // A process that has been killed may still take a line until it has ended.
    until(|| host.children().iter().all(|(_, line)| !is_watcher(line)), "the watcher does not end");
    host.runs();
    host.ends(End::Signal(Signal::KILL));
    host.leaves_nothing();
}

#[test]
fn signals_of_a_terminal_do_not_end_the_watcher() {
    let mut host = Host::start("client", 1, "own", Cli::Stubborn);
    host.runs();
    let watcher = host.watcher();
    // A shell that has just been started does not ignore signals yet.
    until(|| ignores_sigterm(watcher), "the watcher does not ignore SIGTERM");
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM] {
        kill_process(watcher, signal).unwrap();
    }
    host.ends(End::Signal(Signal::KILL));
    host.leaves_nothing();
}

#[test]
fn runs_that_are_closed_leave_no_child_and_no_file() {
    let mut host = Host::start("client", 3, "own", Cli::Good);
    host.runs();
    host.step("close");
    host.says("closed");
    assert_eq!((host.children(), host.files()), (Vec::new(), 0));
    host.ends(End::Step("return"));
    host.leaves_nothing();
}
