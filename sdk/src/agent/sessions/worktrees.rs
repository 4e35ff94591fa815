//! The worktrees of a git repository.

use std::env;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use unicode_normalization::UnicodeNormalization;

use crate::agent::in_path::in_path;

/// How long git may take.
const LONGEST: Duration = Duration::from_secs(5);

/// The paths of all worktrees of the repository that a folder is in. None if it is in no repository
/// or git cannot be run.
pub(super) fn of(folder: &str) -> Vec<String> {
    // Git runs in the folder: a relative folder of PATH could have a program of the project.
    let git = || in_path("git", env::var_os("PATH").as_deref());
    let list = || list(folder, Command::new(git()?));
    let listed = Path::new(folder).is_dir().then(list).flatten().unwrap_or_default();
    let paths = listed.lines().filter_map(|line| line.strip_prefix("worktree "));
    paths.map(|path| path.nfc().collect()).collect()
}

/// What git lists. A hook is told the repository that it runs for, which may be another one.
pub(super) fn list(folder: &str, mut git: Command) -> Option<String> {
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"] {
        git.env_remove(name);
    }
    let child = git
        .args(["worktree", "list", "--porcelain"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = Git(child.ok()?);
    let mut output = child.0.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    // It may hang, for example on a network's file system.
    let reader = move || {
        let mut text = Vec::new();
        let _ = output.read_to_end(&mut text);
        let _ = sender.send(text);
    };
    thread::Builder::new().spawn(reader).ok()?;
    let text = receiver.recv_timeout(LONGEST).ok()?;
    let is_well = child.0.wait().is_ok_and(|status| status.success());
    is_well.then(|| String::from_utf8_lossy(&text).into_owned())
}

/// Ended when it is dropped.
struct Git(Child);

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
