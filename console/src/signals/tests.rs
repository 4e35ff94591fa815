use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus, Stdio};

#[cfg(target_os = "linux")]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::SIGTERM;
use signal_hook::low_level::raise;
use tokio::time::timeout;

use super::*;

/// Runs a test again in a process of its own, as the signals of a process are those of all its
/// tests. False in that process, where the test goes on.
fn is_delegated(name: &str, test: &mut Command) -> bool {
    delegated(name, test).is_some_and(|(status, said)| {
        assert!(status.success(), "{said}");
        true
    })
}

/// The end of that process, with what it has said; `None` in it.
fn delegated(name: &str, test: &mut Command) -> Option<(ExitStatus, String)> {
    const ALONE: &str = "TOOLWRIGHT_CONSOLE_SIGNALS";
    if std::env::var_os(ALONE).is_some() {
        return None;
    }
    let test = test.args(["--exact", name]).env(ALONE, "1");
    let output = test.stdin(Stdio::null()).output().unwrap();
    Some((output.status, String::from_utf8_lossy(&output.stdout).into_owned()))
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
        let told = signals.listen(None).unwrap();
        let told = timeout(Duration::from_secs(60), told).await;
        assert_eq!(told.map(i32::from), Ok(SIGTERM));
    });
    for _ in 0..3 {
        raise(SIGTERM).unwrap();
    }
}

#[test]
fn a_signal_ends_a_process_that_goes_on_beyond_the_limit() {
    let name = "signals::tests::a_signal_ends_a_process_that_goes_on_beyond_the_limit";
    let test = &mut Command::new(std::env::current_exe().unwrap());
    if let Some((status, said)) = delegated(name, test) {
        assert_eq!(status.signal(), Some(SIGTERM), "{said}");
        return;
    }
    let _told =
        Signals::take().unwrap().listen(Some(Limit::new(Duration::from_millis(1)))).unwrap();
    raise(SIGTERM).unwrap();
    // It does not poll.
    thread::sleep(Duration::from_secs(60));
}

#[test]
fn a_limit_that_is_lifted_ends_nothing() {
    let name = "signals::tests::a_limit_that_is_lifted_ends_nothing";
    if is_delegated(name, &mut Command::new(std::env::current_exe().unwrap())) {
        return;
    }
    let limit = Limit::new(Duration::from_millis(1));
    let _told = Signals::take().unwrap().listen(Some(limit.clone())).unwrap();
    limit.lift();
    for _ in 0..3 {
        raise(SIGTERM).unwrap();
        // With the limit the process would end within this time.
        thread::sleep(Duration::from_millis(100));
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

#[test]
fn the_mask_of_ignored_signals_is_found_behind_any_name() {
    // The fields 1 to 33 of a `cat` that was started under `nohup`, and the same renamed.
    let rest = "R 90 90 257 0 -1 4194304 101 0 0 0 0 0 0 0 20 0 1 0 400 313 358 18446744073709551615 \
                94 94 140 0 0 0 0 1 0";
    assert!(ignores_hangup(format!("277 (cat) {rest}").as_bytes()));
    assert!(ignores_hangup(format!("277 (a) b (c) {rest}").as_bytes()));
    let heard = rest.replace("0 1 0", "0 16384 0");
    assert!(!ignores_hangup(format!("277 (cat) {heard}").as_bytes()));
    assert!(!ignores_hangup(b""), "there is no such file");
}
