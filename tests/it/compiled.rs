//! Packages outside of this workspace, compiled into its folder, so that what both have is compiled
//! once.

use std::path::Path;
use std::process::Command;

/// Runs a command of cargo in another folder, and gives what it prints.
pub(crate) fn cargo(folder: &Path, command: &str, rest: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args([command, "--quiet", "--offline"])
        .args(rest)
        .env("CARGO_TARGET_DIR", target())
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Where this workspace is compiled.
pub(crate) fn target() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_fixture")).ancestors().nth(2).unwrap()
}
