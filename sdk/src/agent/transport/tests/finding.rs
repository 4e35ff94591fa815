use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{Folder, Launch, Process, fails, outcome, run, script, shell};
use crate::agent::error::ConnectError;
use crate::agent::in_path::in_path;
use crate::agent::transport::Transport;
use crate::agent::transport::discovery::{Program, find};

fn write(path: &Path, mode: u32) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, "").unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    path.to_owned()
}

fn found(path: &Path, home: Option<&Path>) -> PathBuf {
    find(None, Some(path.as_os_str()), home).unwrap().path
}

#[test]
fn a_program_that_is_not_there_says_where_it_was_looked_for() {
    let path = Folder::new("missing").join("nowhere");
    let error = run(fails(Process::new().cli_path(&path), Launch::default()));
    assert!(
        matches!(&error, ConnectError::CliNotFound { searched } if *searched == [path.clone()]),
        "{error:?}"
    );
    assert!(error.to_string().contains(path.to_str().unwrap()));
    let folder = Folder::new("missing-below");
    let below_a_file = write(&folder.join("file"), 0o755).join("claude");
    assert!(matches!(
        run(fails(Process::new().cli_path(below_a_file), Launch::default())),
        ConnectError::CliNotFound { .. }
    ));
}

#[test]
fn a_folder_and_a_file_without_permission_are_told_apart() {
    let folder = Folder::new("refused");
    let file = write(&folder.join("claude"), 0o644);
    for (path, kind, words) in [
        (&*folder, ErrorKind::IsADirectory, "directory"),
        (file.as_path(), ErrorKind::PermissionDenied, "not executable"),
    ] {
        let error = run(fails(Process::new().cli_path(path), Launch::default()));
        assert!(error.source().unwrap().to_string().contains(words), "{error:?}");
        let ConnectError::Spawn { path: at, source } = error else { panic!("{error:?}") };
        assert_eq!((at.as_path(), source.kind()), (path, kind));
    }
}

#[test]
fn a_file_that_is_no_program_is_an_error() {
    let folder = Folder::new("garbage");
    let garbage = folder.join("claude");
    fs::write(&garbage, b"\x7fELF nothing of the kind").unwrap();
    fs::set_permissions(&garbage, Permissions::from_mode(0o755)).unwrap();
    let error = run(fails(Process::new().cli_path(&garbage), Launch::default()));
    assert!(matches!(&error, ConnectError::Spawn { path, .. } if *path == garbage), "{error:?}");
}

#[test]
fn path_goes_before_the_usual_places_and_only_programs_count() {
    let home = Folder::new("places");
    let usual = write(&home.join(".local/bin/claude"), 0o755);
    let late = write(&home.join(".claude/local/claude"), 0o755);
    let bad = home.join("bad");
    fs::create_dir_all(bad.join("claude")).unwrap();
    let worse = write(&home.join("worse/claude"), 0o644);
    let good = write(&home.join("good/claude"), 0o755);

    let folders = [
        bad.as_path(),
        worse.parent().unwrap(),
        Path::new("good"),
        Path::new(""),
        good.parent().unwrap(),
    ];
    assert_eq!(found(Path::new(&std::env::join_paths(folders).unwrap()), Some(&home)), good);
    assert_eq!(found(&bad, Some(&home)), usual);
    fs::remove_file(usual).unwrap();
    assert_eq!(found(&bad, Some(&home)), late);
}

#[test]
fn what_was_searched_is_listed_in_order_and_once() {
    let home = Folder::new("list");
    let path = std::env::join_paths([
        home.join("a"),
        home.join("a"),
        PathBuf::from("relative"),
        home.join(".local/bin"),
    ])
    .unwrap();
    let Err(ConnectError::CliNotFound { searched }) = find(None, Some(&path), Some(&home)) else {
        return;
    };
    let relative = |path: &PathBuf| path.strip_prefix(&*home).unwrap_or(path).display().to_string();
    let expected = [
        "a/claude",
        ".local/bin/claude",
        ".npm-global/bin/claude",
        "/usr/local/bin/claude",
        "node_modules/.bin/claude",
        ".yarn/bin/claude",
        ".claude/local/claude",
    ];
    assert_eq!(searched.iter().map(relative).collect::<Vec<_>>(), expected);
}

#[test]
fn a_name_without_a_slash_is_searched_in_path() {
    let folder = Folder::new("named");
    let (bad, good) = (folder.join("bad"), folder.join("good"));
    write(&bad.join("claude-next"), 0o644);
    let program = write(&good.join("claude-next"), 0o755);
    let path = std::env::join_paths([&bad, Path::new("good"), &good]).unwrap();
    let find = |name: &str| find(Some(Path::new(name)), Some(&path), Some(&folder));
    assert_eq!(find("claude-next").unwrap(), Program { path: program, script: None });

    // Not in the working folder, where it exists, nor where only `claude` is searched.
    write(&folder.join(".local/bin/Cargo.toml"), 0o755);
    assert!(Path::new("Cargo.toml").exists());
    let error = find("Cargo.toml").unwrap_err();
    let ConnectError::CliNotFound { searched } = &error else { panic!("{error:?}") };
    assert_eq!(*searched, [bad.join("Cargo.toml"), good.join("Cargo.toml")]);
    let error = find("./Cargo.toml").unwrap_err();
    assert!(matches!(error, ConnectError::Spawn { .. }), "{error:?}");
}

#[test]
fn a_helper_is_searched_in_the_absolute_folders_of_path() {
    let folder = Folder::new("helper");
    let git = write(&folder.join("git"), 0o755);
    let root = std::env::current_dir().unwrap().iter().skip(1).map(|_| "..").collect::<PathBuf>();
    let relative = root.join(folder.strip_prefix("/").unwrap());
    assert!(relative.join("git").exists());
    assert_eq!(in_path("git", Some(relative.as_os_str())), None);
    let path = std::env::join_paths([Path::new(""), &relative, &folder]).unwrap();
    assert_eq!(in_path("git", Some(&path)), Some(git));
}

#[test]
fn without_a_path_a_name_is_not_found() {
    let error = find(Some(Path::new("claude-next")), None, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the claude program was not found in claude-next; install it (npm install -g \
         @anthropic-ai/claude-code), or name it by `cli_path`"
    );
}

#[test]
fn a_script_is_run_by_node() {
    let folder = Folder::new("node");
    let script = write(&folder.join("cli.js"), 0o644);
    let error = find(Some(&script), Some(folder.as_os_str()), None).unwrap_err();
    let ConnectError::Spawn { path, source } = error else { panic!("{error:?}") };
    assert_eq!(path, script);
    assert!(source.to_string().contains("node"), "{source}");
    let node = write(&folder.join("node"), 0o755);
    let program = find(Some(&script), Some(folder.as_os_str()), None).unwrap();
    assert_eq!(program, Program { path: node.clone(), script: Some(script) });
    for name in ["cli.mjs", "cli.cjs"] {
        let script = write(&folder.join(name), 0o644);
        let program = find(Some(&script), Some(folder.as_os_str()), None).unwrap();
        assert_eq!(program, Program { path: node.clone(), script: Some(script) });
    }
}

#[test]
fn the_path_of_the_launch_is_searched() {
    let folder = Folder::new("launch-path");
    std::os::unix::fs::symlink("/bin/sh", folder.join("claude")).unwrap();
    let mut launch = script("echo $0 $PATH");
    launch.args.push("found".into());
    launch.env = vec![("PATH".into(), Some(folder.as_os_str().into()))];
    let (output, exit) = run(outcome(Process::new(), launch));
    assert_eq!(output.trim(), format!("found {}", folder.display()));
    assert!(exit.status.unwrap().success());
}

#[test]
fn a_working_folder_has_to_be_one() {
    let folder = Folder::new("cwd");
    let closed = folder.join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o600)).unwrap();
    for (bad, kind) in [
        (folder.join("nowhere"), ErrorKind::NotFound),
        (write(&folder.join("file"), 0o644), ErrorKind::NotADirectory),
        (closed.clone(), ErrorKind::PermissionDenied),
    ] {
        let mut launch = Launch { cwd: Some(bad.clone()), ..script("exit") };
        let is_root = rustix::process::geteuid().is_root();
        if is_root && bad == closed {
            // Root may enter all folders.
            launch.user = Some((65_534, None));
            let error = run(fails(shell(), launch)).to_string();
            assert!(error.contains("65534") && error.contains("closed"), "{error}");
            continue;
        }
        let error = run(fails(shell(), launch));
        assert!(
            matches!(&error, ConnectError::WorkingFolder { path, source }
                if *path == bad && source.kind() == kind),
            "{error:?}"
        );
    }
    let launch = Launch { cwd: Some(folder.to_path_buf()), ..script("/bin/pwd -P; echo $PWD") };
    let (output, _) = run(outcome(shell(), launch));
    assert_eq!(
        output,
        format!("{}\n{}\n", folder.canonicalize().unwrap().display(), folder.display())
    );
}

#[test]
fn arguments_arrive_as_they_are() {
    let mut launch = script("printf '[%s]' \"$@\"");
    launch.args.extend(["zero", "a b", "", "$HOME", "'\"\n"].map(Into::into));
    assert_eq!(run(outcome(shell(), launch)).0, "[a b][][$HOME]['\"\n]");
    let nul = Launch { args: vec!["a\0b".into()], ..Launch::default() };
    assert!(matches!(run(fails(shell(), nul)), ConnectError::Spawn { .. }));
}

#[test]
fn without_a_runtime_it_is_an_error() {
    let mut connect = Box::new(shell()).connect(script("exit"));
    let mut cx = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(result) = connect.as_mut().poll(&mut cx) else { panic!("it waits") };
    assert!(matches!(result, Err(ConnectError::Runtime { .. })));
}

#[test]
fn no_path_and_no_home_are_no_panic() {
    match find(None, None::<&OsStr>, None) {
        Ok(program) => assert_eq!(program.path, Path::new("/usr/local/bin/claude")),
        Err(error) => assert!(matches!(error, ConnectError::CliNotFound { .. })),
    }
}

#[test]
fn a_relative_home_is_not_searched() {
    let home = Folder::new("relative-home");
    write(&home.join(".local/bin/claude"), 0o755);
    let root = std::env::current_dir().unwrap().iter().skip(1).map(|_| "..").collect::<PathBuf>();
    let relative = root.join(home.strip_prefix("/").unwrap());
    assert!(relative.is_relative() && relative.join(".local/bin/claude").exists());
    let only = Path::new("/usr/local/bin/claude");
    match find(None, None, Some(&relative)) {
        Ok(program) => assert_eq!(program.path, only),
        Err(ConnectError::CliNotFound { searched }) => assert_eq!(searched, [only]),
        Err(error) => panic!("{error:?}"),
    }
}
