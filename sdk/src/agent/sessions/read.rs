//! Reads sessions from files.

use std::collections::HashMap;
use std::ops::RangeBounds;
use std::path::{Path, PathBuf};

use super::archive::is_archived;
use super::continued::is_continued;
use super::error::SessionError;
use super::files::{Found, Sessions};
use super::glance::Glance;
use super::page::page;
use super::programmatic::is_programmatic;
use super::subagent::{self, Parent};
use super::transcript::{Place, Transcript};
use super::{SessionInfo, SessionMessage, folders, project};

impl Sessions {
    /// What is known of each session, the last written one first. Transcripts of subagents are left
    /// out, and so are sessions in which nothing was said, and those that go on in another one.
    ///
    /// # Errors
    ///
    /// The folder of the projects cannot be read. A project or transcript that cannot be read is
    /// left out.
    pub fn list_sessions(
        &self,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionInfo>, SessionError> {
        let mut newest = HashMap::new();
        let project = self.project();
        let own = project.as_ref().map_or_else(Vec::new, own);
        for (folder, project) in self.folders(project)? {
            for info in self.infos(&folder, project.as_deref(), &own) {
                let known: &mut SessionInfo =
                    newest.entry(info.session_id.clone()).or_insert_with(|| info.clone());
                if info.last_modified > known.last_modified {
                    *known = info;
                }
            }
        }
        let mut all: Vec<_> = newest.into_values().collect();
        // By the id among those of the same time, so that pages fit together.
        all.sort_by(|a, b| (b.last_modified, &a.session_id).cmp(&(a.last_modified, &b.session_id)));
        Ok(page(all, range))
    }

    /// What is known of one session. `None` if nothing was said in it, and for a transcript of a
    /// subagent.
    ///
    /// # Errors
    ///
    /// There is no such session, or its transcript cannot be read.
    pub fn session_info(&self, id: &str) -> Result<Option<SessionInfo>, SessionError> {
        let Found { path, project } = self.transcript(id)?;
        let glance = Glance::read(&path).map_err(SessionError::at(&path))?;
        Ok(glance.and_then(|glance| shown(id, &path, &glance, project.as_deref())))
    }

    /// The messages of the user and the model in a session, in order.
    ///
    /// These are the messages of the way that led to the last one: what was said before a fork is
    /// among them, what was left behind by a rewind is not. A compaction begins with its summary.
    /// The messages of subagents are left out, and so are those of the CLI itself unless they are
    /// [wanted](Self::with_system_messages).
    ///
    /// A transcript is read once, and only the lines of messages in the range are in memory.
    ///
    /// # Errors
    ///
    /// There is no such session, or its transcript cannot be read.
    pub fn session_messages(
        &self,
        id: &str,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionMessage>, SessionError> {
        let path = self.transcript(id)?.path;
        let mut transcript = Transcript::read(&path).map_err(SessionError::at(&path))?;
        let wanted = page(transcript.chain().conversation(self.with_system_messages), range);
        messages(transcript, &wanted, &Parent::default()).map_err(SessionError::at(path))
    }

    /// The ids of a session's subagents.
    ///
    /// # Errors
    ///
    /// There is no such session.
    pub fn list_subagents(&self, id: &str) -> Result<Vec<String>, SessionError> {
        let subagents = subagent::all(&self.transcript(id)?.path).into_iter();
        Ok(subagents.map(|(agent, _)| agent).collect())
    }

    /// The messages of a subagent, in order.
    ///
    /// # Errors
    ///
    /// There is no such session or subagent, or its transcript cannot be read.
    pub fn subagent_messages(
        &self,
        id: &str,
        agent: &str,
        range: impl RangeBounds<usize>,
    ) -> Result<Vec<SessionMessage>, SessionError> {
        let mut subagents = subagent::all(&self.transcript(id)?.path).into_iter();
        let found = subagents.find(|(found, _)| found == agent);
        let missing = || SessionError::NoSubagent { id: id.to_owned(), agent: agent.to_owned() };
        let (_, path) = found.ok_or_else(missing)?;
        let mut transcript = Transcript::read(&path).map_err(SessionError::at(&path))?;
        let wanted = page(transcript.chain().subagent(), range);
        messages(transcript, &wanted, &Parent::beside(&path)).map_err(SessionError::at(path))
    }

    /// The folders whose sessions are listed, each with the working folder if that is known.
    fn folders(
        &self,
        project: Option<(String, Vec<String>)>,
    ) -> Result<Vec<(PathBuf, Option<String>)>, SessionError> {
        let projects = self.projects();
        if !projects.exists() {
            return Ok(Vec::new());
        }
        let Some((project, worktrees)) = project else {
            let folders = folders::in_folder(&projects).map_err(SessionError::at(projects))?;
            return Ok(folders.into_iter().map(|folder| (folder, None)).collect());
        };
        let mut found: Vec<(PathBuf, _)> = Vec::new();
        for path in [project].into_iter().chain(worktrees) {
            for folder in self.folders_of(&path) {
                if found.iter().all(|(known, _)| *known != folder) {
                    found.push((folder, Some(path.clone())));
                }
            }
        }
        Ok(found)
    }

    fn infos(&self, folder: &Path, project: Option<&str>, own: &[String]) -> Vec<SessionInfo> {
        let transcripts = folders::transcripts(folder).unwrap_or_else(|error| {
            tracing::warn!(%error, folder = %folder.display(), "the sessions cannot be listed");
            Vec::new()
        });
        let info = |(id, path): &(String, PathBuf)| match Glance::read(path) {
            Ok(glance) => {
                let glance = glance?;
                let cwd = glance.cwd();
                let is_elsewhere = |project| project::is_elsewhere(cwd.as_deref(), project, own);
                let is_left_out = self.without_programmatic && is_programmatic(&glance)
                    || project.is_some_and(is_elsewhere)
                    || is_continued(path, &glance);
                if is_left_out { None } else { shown(id, path, &glance, project) }
            }
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "a transcript cannot be read");
                None
            }
        };
        transcripts.iter().filter_map(info).collect()
    }
}

/// The folders of a project with several worktrees. What is in one of them is of no other project,
/// as in the TypeScript SDK.
fn own((project, worktrees): &(String, Vec<String>)) -> Vec<String> {
    match worktrees.len() {
        0 | 1 => Vec::new(),
        _ => std::iter::once(project).chain(worktrees).cloned().collect(),
    }
}

fn shown(id: &str, path: &Path, glance: &Glance, project: Option<&str>) -> Option<SessionInfo> {
    let info = glance.info(id, project)?;
    Some(SessionInfo { archived: is_archived(path, glance), ..info })
}

fn messages(
    mut transcript: Transcript,
    wanted: &[Place],
    parent: &Parent,
) -> std::io::Result<Vec<SessionMessage>> {
    let lines = transcript.lines(wanted)?;
    Ok(lines.iter().map(|line| SessionMessage::of_line(line, parent)).collect())
}
