use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rustix::process::geteuid;

use super::User;
use crate::agent::options::Folder;

const PASSWD: &str = "root:x:0:0:root:/root:/bin/bash\nbroken\nnobody:x:65534:65533:::\n";

#[test]
fn users_have_names_or_numbers() {
    let nobody = Some(User { uid: 65534, gid: Some(65533) });
    assert_eq!(User::among(PASSWD, "nobody"), nobody);
    assert_eq!(User::among(PASSWD, "65534"), nobody);
    assert_eq!(User::among(PASSWD, "7"), Some(User { uid: 7, gid: None }));
    assert_eq!(User::among(PASSWD, "somebody"), None);
    assert_eq!(User::among(PASSWD, ""), None);
}

/// Neither the owner of what a test writes nor in its group.
const OTHER: User = User { uid: 4_294_967_000, gid: Some(4_294_967_000) };

fn kind(user: User, path: &Path) -> Option<ErrorKind> {
    user.open(path).err().map(|error| error.kind())
}

/// Whether the tests may run programs as another user; if not, it says so.
pub(crate) fn may_run_as_others() -> bool {
    or_left_out(geteuid().is_root(), "only root runs programs as another user")
}

/// Whether the user may pass all folders on the way to temporary ones; if not, it says so.
pub(crate) fn may_enter_temporary_folders(user: User) -> bool {
    let folder = std::env::temp_dir().canonicalize().unwrap();
    let may = |folder: &Path| user.check(&folder.metadata().unwrap(), super::PASS).is_ok();
    or_left_out(folder.ancestors().all(may), "temporary files are closed to other users")
}

fn or_left_out(can_run: bool, why: &str) -> bool {
    if !can_run {
        // Not `eprintln!`, which the test harness hides when a test passes.
        let _ = writeln!(io::stderr(), "left out: {why}");
    }
    can_run
}

#[test]
fn a_file_is_read_if_the_user_may() {
    // Not root's rights, which are all.
    let owner = match geteuid().as_raw() {
        0 => User { uid: 4_294_967_001, gid: None },
        uid => User { uid, gid: None },
    };
    if !may_enter_temporary_folders(owner) {
        return;
    }
    let folder = Folder::create().unwrap();
    let inner = folder.path().join("inner");
    let [file, link] = ["file", "link"].map(|name| inner.join(name));
    fs::create_dir(&inner).unwrap();
    fs::write(&file, "text").unwrap();
    symlink(&file, &link).unwrap();
    folder.give_to(owner).unwrap();
    // To pass a folder is not to read it; only Linux can open such a one.
    let mode = if cfg!(target_os = "linux") { 0o311 } else { 0o711 };
    fs::set_permissions(&inner, Permissions::from_mode(mode)).unwrap();
    for path in [&file, &link] {
        assert_eq!(io::read_to_string(owner.open(path).unwrap()).unwrap(), "text");
        assert_eq!(kind(OTHER, path), Some(ErrorKind::PermissionDenied));
    }
    fs::set_permissions(&file, Permissions::from_mode(0o040)).unwrap();
    assert_eq!(kind(owner, &file), Some(ErrorKind::PermissionDenied));
    let metadata = fs::metadata(&file).unwrap();
    let member = User { gid: Some(metadata.gid()), ..OTHER };
    assert!(member.check(&metadata, super::READ).is_ok());
    assert!(OTHER.check(&metadata, super::READ).is_err());
    // What is open to all lies where all may go.
    let to_all = inner.join("to-all");
    symlink("/etc/passwd", &to_all).unwrap();
    assert_eq!(kind(OTHER, Path::new("/etc/passwd")), None);
    assert_eq!(kind(owner, &to_all), None);
    // So that it can be removed.
    fs::set_permissions(&inner, Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn nothing_but_a_regular_file_is_opened() {
    let folder = Folder::create().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let own = User { uid: geteuid().as_raw(), gid: None };
    let paths = [&*pipe, folder.path(), Path::new("/dev/zero"), Path::new("/proc/self/maps")];
    for path in paths.into_iter().filter(|path| path.exists()) {
        assert_eq!(kind(own, path), Some(ErrorKind::InvalidInput), "{}", path.display());
    }
    assert_eq!(kind(own, &folder.path().join("nothing")), Some(ErrorKind::NotFound));
}
