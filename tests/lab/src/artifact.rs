use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// What is measured is built in the profile of this program: a debug build is for `--quick`.
const IS_RELEASE: bool = !cfg!(debug_assertions);

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn twin_folder() -> PathBuf {
    root().join("tests/peers/rmcp")
}

pub fn fixture() -> Result<PathBuf> {
    build_member("toolwright-tests", "fixture")
}

/// A program of `examples/fleet`.
pub fn fleet_worker() -> Result<PathBuf> {
    build_member("toolwright-fleet", "worker")
}

/// Next to it is `calc-50`.
pub fn calc() -> Result<PathBuf> {
    let built = build(&root().join("tests/lab"), &["-p", "toolwright-lab-calc"])?;
    Ok(built.with_file_name("calc"))
}

pub fn agent_client() -> Result<PathBuf> {
    build(&root().join("tests/lab"), &["-p", "toolwright-lab-client"])
}

/// Runs the install script of a peer that is not built, and gives the path that it prints, if it
/// prints one.
pub fn installed(peer: &str) -> Result<PathBuf> {
    let script = root().join("tests/peers").join(peer).join("install.sh");
    let output = Command::new(&script)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("running {}", script.display()))?;
    ensure!(output.status.success(), "{} failed", script.display());
    Ok(String::from_utf8(output.stdout)?.trim_end().into())
}

/// The server of the TypeScript SDK: what runs it, and its script, which takes a mode.
pub fn typescript_server() -> Result<(PathBuf, String)> {
    Ok(("node".into(), script("mcp-typescript", "server.mjs")?))
}

/// The same for Python.
pub fn python_server() -> Result<(PathBuf, String)> {
    let script = script("mcp-python", "server.py")?;
    Ok((root().join("tests/peers/mcp-python/.venv/bin/python"), script))
}

fn script(peer: &str, file: &str) -> Result<String> {
    installed(peer)?;
    Ok(root().join("tests/peers").join(peer).join(file).to_string_lossy().into_owned())
}

/// Whether this machine has a program that a server needs; a line says so if it has not.
pub fn can_run(server: &str, program: &str) -> bool {
    let has = Command::new(program).arg("--version").output().is_ok();
    if !has {
        eprintln!("{server} is left out, as there is no {program}");
    }
    has
}

/// A program of a member of the workspace.
fn build_member(package: &str, program: &str) -> Result<PathBuf> {
    let which: &[_] = match IS_RELEASE {
        true => &["-p", package],
        // As the tests build it, so that it need not be built again.
        false => &["--workspace", "--all-features"],
    };
    build(&root(), &[which, &["--bin", program]].concat())
}

pub fn rmcp_twin() -> Result<PathBuf> {
    build(&twin_folder(), &["--locked", "--bin", "rmcp-twin"])
}

pub fn rmcp_tuned() -> Result<PathBuf> {
    build(&twin_folder(), &["--locked", "--bin", "rmcp-tuned"])
}

pub fn cargo(folder: &Path) -> Command {
    let mut cargo =
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    cargo.current_dir(folder);
    cargo
}

pub fn rmcp_http() -> Result<PathBuf> {
    build(&twin_folder(), &["--locked", "-p", "rmcp-http", "--bin", "rmcp-http"])
}

pub fn rmcp_faults() -> Result<PathBuf> {
    build(&twin_folder(), &["--locked", "-p", "rmcp-http", "--bin", "rmcp-faults"])
}

/// Cargo says itself where the binary is, whatever target directory is configured.
fn build(folder: &Path, args: &[&str]) -> Result<PathBuf> {
    let output = cargo(folder)
        .args(["build", "--message-format", "json-render-diagnostics"])
        .args(IS_RELEASE.then_some("--release"))
        .args(args)
        .stderr(Stdio::inherit())
        .output()
        .context("running cargo")?;
    ensure!(output.status.success(), "cargo build failed in {}", folder.display());
    let executable = |line: &[u8]| {
        let message: Value = serde_json::from_slice(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    };
    output
        .stdout
        .split(|byte| *byte == b'\n')
        .filter_map(executable)
        .next_back()
        .context("cargo built no binary")
}
