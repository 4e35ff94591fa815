//! House rules that a machine can check.

mod made_up;
mod order;
mod page;
mod package;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules", ".git", ".cache"].contains(&name.as_str()) {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// Which files of the agent may know the tool server: `servers`, and what takes a registry of the
/// user's.
#[test]
fn one_folder_of_the_agent_knows_both_protocols() {
    let agent = root().join("sdk/src/agent");
    let mut files = Vec::new();
    sources(&agent, &mut files);
    let may_know = ["servers/", "options/", "permission/policy.rs"];
    for file in files.into_iter().filter(|file| {
        !file.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"))
    }) {
        let relative = file.strip_prefix(&agent).unwrap().to_string_lossy().into_owned();
        let knows = fs::read_to_string(&file)
            .unwrap()
            .lines()
            .any(|line| !line.trim_start().starts_with("//") && line.contains("crate::mcp"));
        assert!(
            !knows || may_know.iter().any(|path| relative.starts_with(path)),
            "{relative} knows the tool server"
        );
    }
    for layer in ["control", "message", "run_end.rs", "turns.rs"] {
        let mut files = Vec::new();
        match agent.join(layer) {
            folder if folder.is_dir() => sources(&folder, &mut files),
            file => files.push(file),
        }
        assert!(!files.is_empty(), "{layer}");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            assert!(!text.contains("tokio"), "{} does no I/O", file.display());
        }
    }
}

#[test]
fn the_wire_types_use_nothing_but_serde_and_the_scanner() {
    let mut files = Vec::new();
    sources(&root().join("sdk/src/mcp/protocol"), &mut files);
    for file in files.into_iter().filter(|file| !file.ends_with("tests.rs")) {
        for line in
            fs::read_to_string(&file).unwrap().lines().filter(|line| line.starts_with("use "))
        {
            let allowed =
                ["use std::", "use super::", "use serde", "use base64", "use crate::scan"];
            assert!(
                allowed.iter().any(|allowed| line.starts_with(allowed)),
                "{}: {line}",
                file.display()
            );
        }
    }
}

#[test]
fn the_core_does_no_io_and_knows_no_clock_and_no_runtime() {
    let mut files = Vec::new();
    sources(&root().join("sdk/src/mcp"), &mut files);
    for file in files.into_iter().filter(|file| {
        !file.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"))
    }) {
        // What tokio has for waiting needs no runtime of its.
        let text = fs::read_to_string(&file).unwrap().replace("tokio::sync", "");
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        // tokio's primitives for waiting have no runtime: whoever polls them may have any.
        let code = code.replace("tokio::sync::", "");
        for word in [
            "std::io",
            "std::net",
            "std::fs",
            "std::process",
            "std::thread",
            "Instant",
            "SystemTime",
            "tokio",
        ] {
            assert!(!code.contains(word), "{} mentions {word}", file.display());
        }
    }
}

#[test]
fn no_file_has_more_than_350_code_lines() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    assert!(files.len() > 60);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .count();
        assert!(code <= 350, "{}: {code} code lines", file.display());
    }
}

#[test]
fn architecture_md_stays_short_enough_to_be_read() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
}

/// rustfmt leaves comments as they are. A row of a table cannot be broken, nor can a long name.
#[test]
fn no_comment_has_more_than_100_columns() {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let mut too_long = Vec::new();
    for file in files {
        for (at, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            let text = comment.trim_start_matches(['/', '!']).trim_start();
            let may_be_long = text.starts_with('|') || text.split(' ').count() < 3;
            if !may_be_long && line.chars().count() > 100 {
                too_long.push(format!("{}:{}", file.display(), at + 1));
            }
        }
    }
    assert!(too_long.is_empty(), "{too_long:#?}");
}
