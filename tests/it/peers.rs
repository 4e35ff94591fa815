//! Programs of others, which `tests/run.sh` installs into `tests/peers`.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, io};

/// A file below `tests/peers`.
pub(crate) fn peer(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(path)
}

/// Gives the path back if there is such a file. If not, a line on stderr says so, or the test fails
/// when peers are required.
pub(crate) fn installed(path: PathBuf) -> Option<PathBuf> {
    static SAID: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if path.is_file() {
        return Some(path);
    }
    assert!(
        env::var_os("TOOLWRIGHT_REQUIRE_PEERS").is_none_or(|value| value != "1"),
        "not installed: {}",
        path.display()
    );
    if SAID.lock().unwrap().insert(path.clone()) {
        // Not `eprintln!`, which the test harness hides when a test passes.
        let _ = writeln!(
            io::stderr(),
            "left out: {} is not installed (tests/run.sh installs it)",
            path.display()
        );
    }
    None
}

/// A program of the system, or a line on stderr, or a failed test, as with [`installed`].
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    // Only the PATH of root leads there.
    let folders = env::split_paths(&path).chain(["/usr/sbin".into()]);
    let found = folders.map(|folder| folder.join(program)).find(|path| path.is_file());
    installed(found.unwrap_or_else(|| program.into()))
}
