//! The user that the CLI runs as.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open, openat};
use rustix::process::getegid;

/// The rights, as of others, to read a file and to pass a folder.
const READ: u32 = 0o4;
const PASS: u32 = 0o1;

/// How a file is opened, and a folder on the way to it: who may pass one need not read it.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
#[cfg(target_os = "linux")]
const FOLDER: OFlags = FILE.union(OFlags::DIRECTORY).union(OFlags::PATH);
#[cfg(not(target_os = "linux"))]
const FOLDER: OFlags = FILE.union(OFlags::DIRECTORY);

/// A user of this machine, by name or number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) uid: u32,
    /// `None` for a number that `/etc/passwd` does not know: then the group stays.
    pub(crate) gid: Option<u32>,
}

impl User {
    /// Finds a user in `/etc/passwd`. `None` if there is none of this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::among(&fs::read_to_string("/etc/passwd").unwrap_or_default(), name)
    }

    /// The same for the text of the file.
    fn among(passwd: &str, wanted: &str) -> Option<Self> {
        let number: Option<u32> = wanted.parse().ok();
        let known = passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, uid) = (fields.next()?, fields.nth(1)?.parse().ok()?);
            let gid = fields.next()?.parse().ok()?;
            let is_it = name == wanted || number == Some(uid);
            is_it.then_some(Self { uid, gid: Some(gid) })
        });
        known.or_else(|| number.map(|uid| Self { uid, gid: None }))
    }

    /// Opens a regular file to read it, if the user could. This program may read more, and the user
    /// can put links on the way that lead to it.
    pub(crate) fn open(self, path: &Path) -> io::Result<File> {
        let path = path.canonicalize()?;
        // The rights do not say what the kernel tells a user there.
        let is_made_up = path.starts_with("/proc");
        let regular = |found: &Metadata| match found.is_file() && !is_made_up {
            true => Ok(()),
            false => Err(io::Error::new(ErrorKind::InvalidInput, "this is no regular file")),
        };
        // To open a device may have an effect, and a pipe would not end.
        regular(&path.symlink_metadata()?)?;
        // Whatever the user puts in place meanwhile, each step is from a folder to what is in it.
        let mut names = path.iter().skip(1).peekable();
        let mut file = File::from(open("/", FOLDER, Mode::empty())?);
        while let Some(name) = names.next() {
            self.check(&file.metadata()?, PASS)?;
            let flags = if names.peek().is_some() { FOLDER } else { FILE };
            file = openat(&file, name, flags, Mode::empty())?.into();
        }
        let found = file.metadata()?;
        self.check(&found, READ)?;
        regular(&found).map(|()| file)
    }

    /// Whether the user has a right to a file or folder.
    fn check(self, found: &Metadata, right: u32) -> io::Result<()> {
        let group = self.gid.unwrap_or_else(|| getegid().as_raw());
        let rights = match found.mode() {
            mode if found.uid() == self.uid => mode >> 6,
            mode if found.gid() == group => mode >> 3,
            mode => mode,
        };
        match self.uid == 0 || rights & right != 0 {
            true => Ok(()),
            false => Err(io::Error::new(
                ErrorKind::PermissionDenied,
                "the user that the CLI runs as may not read this",
            )),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
