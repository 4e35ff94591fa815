//! The folders of a run.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;

use super::harness::options;

/// A new folder, until this is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        // On some systems the temporary folder itself is behind a link.
        let path = std::env::temp_dir().canonicalize().unwrap();
        let path = path.join(format!("toolwright-roots-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folders_that_exist_beside_the_working_folder_are_roots() {
    let folder = Folder::new();
    let at = |name: &str| folder.0.join(name);
    for name in ["a b", "a b/inside", "c#ü%[d]\n"] {
        fs::create_dir(at(name)).unwrap();
    }
    fs::write(at("file"), "").unwrap();
    symlink(at("a b"), at("link")).unwrap();
    // Not every file system has names that are no text.
    let bytes = folder.0.join(OsStr::from_bytes(b"\xff"));
    let has_bytes = fs::create_dir(&bytes).is_ok();
    let roots = options(|b| {
        let b = b.cwd(at("link")).add_dir("inside").add_dir("missing").add_dir(at("file"));
        b.add_dir(at("link")).add_dir("../c#ü%[d]\n").add_dir(bytes).add_dir(at("link/"))
    })
    .roots();
    let uri = |path: &str| json!({"uri": format!("file://{}{path}", folder.0.display())});
    let mut expected =
        vec![uri("/a%20b"), uri("/c%23%C3%BC%25%5Bd%5D%0A"), uri("/link"), uri("/%FF")];
    expected.truncate(if has_bytes { 4 } else { 3 });
    assert_eq!(roots.list().unwrap(), json!({"roots": expected}));

    // What was added stays what it was.
    roots.move_to(at("c#ü%[d]\n"));
    expected[0] = uri("/c%23%C3%BC%25%5Bd%5D%0A");
    expected[1] = uri("/a%20b/inside");
    assert_eq!(roots.list().unwrap(), json!({"roots": expected}));

    roots.move_to(at("a b"));
    fs::remove_dir_all(at("a b")).unwrap();
    assert!(roots.list().is_err(), "the working folder is gone");
}

#[test]
fn without_a_folder_the_current_one_is_the_root() {
    let root = std::env::current_dir().unwrap().canonicalize().unwrap();
    let uri = format!("file://{}", root.display());
    assert_eq!(options(|b| b).roots().list().unwrap(), json!({"roots": [{"uri": uri}]}));
}
