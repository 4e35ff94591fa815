use std::process::{Command, Stdio};
use std::time::Duration;

use signal_hook::consts::SIGTERM;
use signal_hook::low_level::raise;
use tokio::time::timeout;

use super::*;

/// In a process of its own, as the signals of a process are those of all its tests.
#[test]
fn the_first_signal_is_told_and_a_second_one_ends_nothing() {
    const ALONE: &str = "TOOLWRIGHT_CONSOLE_SIGNALS";
    if std::env::var_os(ALONE).is_none() {
        let name = "signals::tests::the_first_signal_is_told_and_a_second_one_ends_nothing";
        let mut test = Command::new(std::env::current_exe().unwrap());
        let test = test.args(["--exact", name]).env(ALONE, "1").stdout(Stdio::null());
        assert!(test.status().unwrap().success());
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let signals = Signals::take().unwrap();
        raise(SIGTERM).unwrap();
        let told = signals.listen().unwrap();
        timeout(Duration::from_secs(60), told).await.expect("the signal is told");
    });
    for _ in 0..3 {
        raise(SIGTERM).unwrap();
    }
}
