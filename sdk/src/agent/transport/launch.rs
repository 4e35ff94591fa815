use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// What a CLI is started with. A transport that does not start one may ignore it.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Launch {
    /// The arguments, without the program.
    pub args: Vec<OsString>,
    /// Variables that are set in (`Some`) or removed from (`None`) the environment. Those that tell
    /// the CLI which SDK it speaks to are among them.
    pub env: Vec<(OsString, Option<OsString>)>,
    /// The environment is not inherited from this program.
    pub env_clear: bool,
    /// The working folder; without it, this program's own.
    pub cwd: Option<PathBuf>,
    /// The ids of the user and the group that it runs as; without them, this program's own.
    pub user: Option<(u32, Option<u32>)>,
    /// The files on this machine that the run has written for the CLI. A transport that starts it
    /// on another one copies them there and names the copies with [`relocate`](Self::relocate).
    /// They are deleted when the run has ended.
    ///
    /// Paths that the options were given, such as those of plugins, are not among them.
    pub files: Vec<LaunchFile>,
}

/// A file, or a folder, that a run has written for its CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LaunchFile {
    /// Its absolute path. Only this user, or that of [`Launch::user`], can read it: it may have
    /// secrets.
    pub path: PathBuf,
    /// How the CLI is told the path.
    pub named_by: NamedBy,
}

/// How the CLI is told the path of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NamedBy {
    /// By the argument at this position of [`Launch::args`], which is `<flag>=<path>`. Such an
    /// option is too long or too private for the command line.
    Arg(usize),
    /// By this variable in [`Launch::env`], which is the path of a folder: `CLAUDE_CONFIG_DIR` for
    /// a session that is resumed from a store.
    Env(OsString),
}

impl Launch {
    /// Tells the CLI that the file at this position of [`files`](Self::files) has another path.
    ///
    /// ```
    /// use toolwright::agent::transport::Launch;
    ///
    /// /// What has to be copied, from here to there.
    /// fn relocated(launch: &mut Launch, folder: &str) -> Vec<(String, String)> {
    ///     let mut copies = Vec::new();
    ///     for at in 0..launch.files.len() {
    ///         let here = launch.files[at].path.display().to_string();
    ///         let there = format!("{folder}/{at}");
    ///         launch.relocate(at, &there);
    ///         copies.push((here, there));
    ///     }
    ///     copies
    /// }
    /// # assert!(relocated(&mut Launch::default(), "/tmp").is_empty());
    /// ```
    ///
    /// No effect if there is no such file.
    pub fn relocate(&mut self, file: usize, path: impl Into<PathBuf>) {
        let Some(file) = self.files.get_mut(file) else { return };
        file.path = path.into();
        match &file.named_by {
            NamedBy::Arg(at) => {
                let Some(arg) = self.args.get_mut(*at) else { return };
                let flag = arg.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default();
                *arg = with_value(OsStr::from_bytes(flag), &file.path);
            }
            NamedBy::Env(name) => {
                let named = self.env.iter_mut().filter(|(known, _)| known == name);
                named.for_each(|(_, value)| *value = Some(file.path.clone().into()));
            }
        }
    }
}

/// `<flag>=<value>` as one argument, so that no value can be mistaken for a flag.
pub(crate) fn with_value(flag: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> OsString {
    let mut arg = flag.as_ref().to_owned();
    arg.push("=");
    arg.push(value);
    arg
}

/// Environments and arguments often contain secrets, so only names and numbers are printed.
impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("args", &self.args.len())
            .field("env", &self.env.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("env_clear", &self.env_clear)
            .field("cwd", &self.cwd)
            .field("user", &self.user)
            .field("files", &self.files)
            .finish()
    }
}
