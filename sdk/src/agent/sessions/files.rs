use std::env;
use std::path::{Path, PathBuf};

use super::error::SessionError;
use super::{folders, id, project, worktrees};

/// The sessions that the CLI has stored in the files of a configuration folder, `~/.claude` as a
/// rule.
///
/// ```no_run
/// use toolwright::agent::sessions::Sessions;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let sessions = Sessions::of_user()?;
/// for info in sessions.list_sessions(..10)? {
///     println!("{}: {}", info.session_id, info.summary);
/// }
///
/// let here = sessions.in_project(".");
/// if let Some(latest) = here.list_sessions(..1)?.first() {
///     for message in here.session_messages(&latest.session_id, ..)? {
///         println!("{:?}: {}", message.role, message.message);
///     }
/// }
/// # Ok(())
/// # }
/// ```
///
/// The methods have the names of the official SDKs' functions and give the same results, except
/// that what is missing is an error. They read and write files, and look for worktrees with `git`,
/// without a runtime: call them from async code with `spawn_blocking`. A range such as `..10` or
/// `10..20` is the part of the result that is wanted.
///
/// Nothing is stored about a session twice, so methods see what the CLI has written meanwhile, and
/// the CLI sees what they write.
#[derive(Debug, Clone)]
pub struct Sessions {
    config: PathBuf,
    project: Option<PathBuf>,
    /// The folder that has the transcripts of every project, beside their own.
    named: Option<String>,
    without_worktrees: bool,
    pub(super) without_programmatic: bool,
    pub(super) with_system_messages: bool,
}

/// A transcript, and the working folder that it belongs to if that is known.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) project: Option<String>,
}

impl Sessions {
    /// The sessions in this configuration folder.
    pub fn at(config: impl Into<PathBuf>) -> Self {
        Self {
            config: config.into(),
            project: None,
            named: None,
            without_worktrees: false,
            without_programmatic: false,
            with_system_messages: false,
        }
    }

    /// The sessions of the user: those in the folder that `CLAUDE_CONFIG_DIR` names, or in
    /// `~/.claude`.
    ///
    /// # Errors
    ///
    /// There is no home folder.
    pub fn of_user() -> Result<Self, SessionError> {
        let named = env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
        let config = match named {
            Some(folder) => folder.into(),
            None => env::home_dir().ok_or(SessionError::NoHome)?.join(".claude"),
        };
        let sessions = Self::at(project::composed(&config));
        Ok(sessions.in_folder_named(project::named(|name| env::var_os(name))))
    }

    /// Those of a project are in this folder, too.
    pub(crate) fn in_folder_named(self, named: Option<String>) -> Self {
        Self { named, ..self }
    }

    /// Only the sessions of this working folder, and those of the other worktrees if it is in a git
    /// repository. Without this, those of all projects. The [sessions of the user](Self::of_user)
    /// in the folder that `CLAUDE_CODE_PROJECT_DIR_NAME` names are of each working folder.
    pub fn in_project(&self, folder: impl Into<PathBuf>) -> Self {
        Self { project: Some(folder.into()), ..self.clone() }
    }

    /// Lists and finds no sessions of other worktrees, and does not run `git`.
    pub fn without_worktrees(&self) -> Self {
        Self { without_worktrees: true, ..self.clone() }
    }

    /// Lists no sessions that a program has begun, with this SDK, another one or `claude --print`,
    /// and none of the CLI's daemon: only those that a person would resume.
    pub fn without_programmatic(&self) -> Self {
        Self { without_programmatic: true, ..self.clone() }
    }

    /// Reads the messages of the CLI itself, too: compactions, notices and the like, each where it
    /// stands between those of the user and the model. What came after the last of these is left
    /// out.
    ///
    /// ```no_run
    /// use toolwright::agent::sessions::{SessionRole, Sessions};
    ///
    /// # fn main() -> Result<(), toolwright::agent::sessions::SessionError> {
    /// let sessions = Sessions::of_user()?.with_system_messages();
    /// let messages = sessions.session_messages("6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21", ..)?;
    /// let of_the_cli = messages.iter().filter(|message| message.role == SessionRole::System);
    /// println!("{} messages of the CLI", of_the_cli.count());
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_system_messages(&self) -> Self {
        Self { with_system_messages: true, ..self.clone() }
    }

    /// The folder with a folder for each project.
    pub(super) fn projects(&self) -> PathBuf {
        self.config.join("projects")
    }

    /// The working folder and the worktrees whose sessions are listed, the former first.
    pub(super) fn project(&self) -> Option<(String, Vec<String>)> {
        let project = project::canonical(self.project.as_ref()?);
        let worktrees = self.worktrees(&project);
        Some((project, worktrees))
    }

    /// The worktrees whose sessions belong to a project.
    fn worktrees(&self, project: &str) -> Vec<String> {
        match self.without_worktrees {
            true => Vec::new(),
            false => worktrees::of(project),
        }
    }

    /// The folders with the transcripts of a working folder, as far as they exist.
    pub(super) fn folders_of(&self, project: &str) -> impl Iterator<Item = PathBuf> {
        let projects = self.projects();
        let named = self.named.as_ref().map(|name| projects.join(name));
        named.filter(|folder| folder.is_dir()).into_iter().chain(project::find(&projects, project))
    }

    /// The first file that `take` accepts of those that can be the transcript of a session.
    pub(super) fn find(
        &self,
        id: &str,
        mut take: impl FnMut(&Path) -> Result<bool, SessionError>,
    ) -> Result<Found, SessionError> {
        id::check(id)?;
        let (file, projects) = (format!("{id}.jsonl"), self.projects());
        let mut look = |folder: PathBuf, project: Option<&str>| {
            let path = folder.join(&file);
            let found = || Found { path: path.clone(), project: project.map(Into::into) };
            take(&path).map(|is_it| is_it.then(found))
        };
        let missing = || SessionError::NotFound { id: id.to_owned() };
        let Some(project) = &self.project else {
            for folder in folders::in_folder(&projects).unwrap_or_default() {
                if let Some(found) = look(folder, None)? {
                    return Ok(found);
                }
            }
            return Err(missing());
        };
        let project = project::canonical(project);
        for folder in self.folders_of(&project) {
            if let Some(found) = look(folder, Some(&project))? {
                return Ok(found);
            }
        }
        // Only now, as git takes longer than all the rest.
        let worktrees = self.worktrees(&project);
        for worktree in worktrees.iter().filter(|worktree| **worktree != project) {
            if let Some(folder) = project::find(&projects, worktree)
                && let Some(found) = look(folder, Some(worktree))?
            {
                return Ok(found);
            }
        }
        Err(missing())
    }

    /// The transcript of a session. An empty file is none.
    pub(super) fn transcript(&self, id: &str) -> Result<Found, SessionError> {
        self.find(id, |path| Ok(path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0)))
    }
}
