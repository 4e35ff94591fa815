use std::process::{Command, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::SIGTERM;
use signal_hook::low_level::raise;
use tokio::time::timeout;

use super::*;

/// Runs a test again in a process of its own, as the signals of a process are those of all its
/// tests. False in that process, where the test goes on.
fn is_delegated(name: &str, test: &mut Command) -> bool {
    const ALONE: &str = "TOOLWRIGHT_CONSOLE_SIGNALS";
    if std::env::var_os(ALONE).is_some() {
        return false;
    }
    let test = test.args(["--exact", name]).env(ALONE, "1");
    let output = test.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    true
}

#[test]
fn the_first_signal_is_told_and_a_second_one_ends_nothing() {
    let name = "signals::tests::the_first_signal_is_told_and_a_second_one_ends_nothing";
    if is_delegated(name, &mut Command::new(std::env::current_exe().unwrap())) {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let signals = Signals::take().unwrap();
        raise(SIGTERM).unwrap();
        let told = signals.listen().unwrap();
        let told = timeout(Duration::from_secs(60), told).await;
        assert_eq!(told.map(i32::from), Ok(SIGTERM));
    });
    for _ in 0..3 {
        raise(SIGTERM).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_hangup_that_the_process_was_started_to_ignore_is_not_told() {
    let name = "signals::tests::a_hangup_that_the_process_was_started_to_ignore_is_not_told";
    if is_delegated(name, Command::new("nohup").arg(std::env::current_exe().unwrap())) {
        return;
    }
    let signals = Signals::take().unwrap();
    raise(SIGHUP).unwrap();
    assert_eq!(signals.told.load(Ordering::Acquire), 0, "it is told");
    raise(SIGTERM).unwrap();
    assert_ne!(signals.told.load(Ordering::Acquire), 0, "another signal is not told");
}
