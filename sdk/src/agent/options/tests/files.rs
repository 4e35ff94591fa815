//! The files that a client has written when it connects.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::harness::options;
use crate::agent::options::arg::File;
use crate::agent::options::files::Files;
use crate::agent::options::{AgentOptions, McpServer};
use crate::agent::transport::NamedBy;
use crate::agent::user::User;

fn file_of(args: &[std::ffi::OsString], flag: &str) -> PathBuf {
    args.iter().find_map(|arg| arg.to_str()?.strip_prefix(flag)?.strip_prefix('=')).unwrap().into()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn they_are_private_and_gone_in_the_end() {
    let prompt = "é".repeat(100_000);
    let options = options(|b| {
        b.system_prompt(prompt.as_str())
            .mcp_server(McpServer::stdio("a", "x").env("TOKEN", "secret"))
    });
    let (launch, files) = options.launch().unwrap();
    let (prompt_file, servers) =
        (file_of(&launch.args, "--system-prompt-file"), file_of(&launch.args, "--mcp-config"));
    assert!(prompt_file.is_absolute());
    assert_eq!(fs::read_to_string(&prompt_file).unwrap(), prompt);
    assert_eq!(
        fs::read_to_string(&servers).unwrap(),
        r#"{"mcpServers":{"a":{"type":"stdio","command":"x","env":{"TOKEN":"secret"}}}}"#
    );
    assert_eq!(
        (mode(&prompt_file), mode(&servers), mode(servers.parent().unwrap())),
        (0o600, 0o600, 0o700)
    );

    let (again, others) = options.launch().unwrap();
    assert_ne!(file_of(&again.args, "--mcp-config"), servers);
    drop(files);
    assert!(!servers.parent().unwrap().exists());
    assert!(file_of(&again.args, "--mcp-config").exists());
    drop(others);
    assert!(!file_of(&again.args, "--mcp-config").exists());
}

#[test]
fn they_belong_to_the_user_that_the_cli_runs_as() {
    let own = rustix::process::geteuid();
    let uid = if own.is_root() { 4_294_967_000 } else { own.as_raw() };
    let options = options(|b| {
        b.user(uid.to_string())
            .system_prompt("x".repeat(200_000))
            .mcp_server(McpServer::stdio("a", "x").env("TOKEN", "secret"))
    });
    let (launch, _files) = options.launch().unwrap();
    assert_eq!(launch.files.len(), 2);
    for file in launch.files {
        for path in [&*file.path, file.path.parent().unwrap()] {
            assert_eq!(fs::metadata(path).unwrap().uid(), uid, "{}", path.display());
        }
    }
}

#[test]
fn what_a_link_leads_to_is_not_given_away() {
    let mut files = Files::default();
    let file = files.write(&File { name: "a.json", contents: String::new() }).unwrap();
    symlink("/nowhere/to/be/found", file.with_file_name("b.json")).unwrap();
    let own = (rustix::process::geteuid(), rustix::process::getegid());
    files.give_to(User { uid: own.0.as_raw(), gid: Some(own.1.as_raw()) }).unwrap();
}

#[test]
fn a_transport_learns_of_them_and_may_copy_them() {
    let options = options(|b| {
        b.system_prompt("x".repeat(200_000))
            .mcp_server(McpServer::stdio("a", "x").env("TOKEN", "secret"))
    });
    let (mut launch, _files) = options.launch().unwrap();
    let paths: Vec<_> = launch.files.iter().map(|file| file.path.clone()).collect();
    let flags = ["--system-prompt-file", "--mcp-config"];
    assert_eq!(paths, flags.map(|flag| file_of(&launch.args, flag)));
    let before = launch.args.clone();
    for (at, flag) in flags.iter().enumerate() {
        let NamedBy::Arg(arg) = launch.files[at].named_by else { panic!("{launch:?}") };
        launch.relocate(at, format!("/far/a=b/{at}"));
        assert_eq!(launch.args[arg], *format!("{flag}=/far/a=b/{at}"));
        assert_eq!(launch.files[at].path, Path::new(&format!("/far/a=b/{at}")));
    }
    let changed = before.iter().zip(&launch.args).filter(|(before, after)| before != after);
    assert_eq!(changed.count(), 2);
    launch.relocate(2, "/none");
}

#[test]
fn most_runs_have_none() {
    let (launch, files) = AgentOptions::default().launch().unwrap();
    assert_eq!(launch.files, []);
    assert_eq!(format!("{files:?}"), "Files { folder: None }");
}

#[test]
fn a_failure_to_write_is_the_launchs() {
    let options = options(|b| b.system_prompt("x".repeat(200_000)));
    assert_eq!(options.launch_with(|_| Err("full")).unwrap_err(), "full");
}
