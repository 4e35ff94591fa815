//! Process groups: how they begin and whether they are empty.

use std::io;
use std::process::Child;

use rustix::process::Pid;

use super::shell;

/// Leads a process group until the CLI is in it. So the group can be watched before the CLI exists:
/// there is no moment at which this program could end and leave a CLI of which nobody knows.
///
/// It ends with its input, and so with this program.
pub(super) struct Founder(Child);

impl Founder {
    pub(super) fn start() -> io::Result<Self> {
        shell::start("read -r end", "toolwright-group").map(Self)
    }

    /// The group, which exists as long as it has a member.
    pub(super) fn group(&self) -> Pid {
        Pid::from_child(&self.0)
    }
}

impl Drop for Founder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a group has a running member beside `known`, which has ended and is not reaped yet.
/// Others may be the same for ever: the first process of a container often reaps nobody.
#[cfg(target_os = "linux")]
pub(super) fn has_others(group: Pid, known: Pid) -> bool {
    use std::fs;
    // A signal reaches `known`, too, so it says nothing about others.
    let is_other = |entry: io::Result<fs::DirEntry>| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        let pid = name.parse().ok().and_then(Pid::from_raw).filter(|pid| *pid != known)?;
        let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
        // After the name of the program, which may have any bytes: state, parent, group.
        let after = stat.rsplit(|byte| *byte == b')').next()?;
        let mut fields = std::str::from_utf8(after).ok()?.split_ascii_whitespace();
        let has_ended = matches!(fields.next()?, "Z" | "X");
        Some(!has_ended && fields.nth(1)?.parse() == Ok(group.as_raw_nonzero().get()))
    };
    fs::read_dir("/proc").map_or(true, |mut all| all.any(|entry| is_other(entry) == Some(true)))
}

/// The same where processes that have ended get no signals.
#[cfg(not(target_os = "linux"))]
pub(super) fn has_others(group: Pid, _: Pid) -> bool {
    rustix::process::test_kill_process_group(group).is_ok()
}
