//! The names that the CLI gives to the folders of projects.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::glance::Glance;

/// A longer name is cut and gets a hash of the whole.
pub(super) const LONGEST: usize = 200;

/// The variable with the name that the folder of all transcripts has, whatever their project.
pub(crate) const NAME: &str = "CLAUDE_CODE_PROJECT_DIR_NAME";

/// The key under which a [`SessionStore`](super::SessionStore) has the sessions of a working
/// folder: the name that the CLI gives to the folder of their transcripts. If that is longer than
/// 200 characters, the CLI has another hash at its end; a store has only this one.
///
/// ```
/// use toolwright::agent::sessions::project_key;
///
/// assert_eq!(project_key("/nowhere/my.app"), "-nowhere-my-app");
/// ```
///
/// Links on the way to the folder are followed as far as it exists. If this program has both
/// variables `CLAUDE_CONFIG_DIR` and `CLAUDE_CODE_PROJECT_DIR_NAME`, the latter is the name.
pub fn project_key(folder: impl AsRef<Path>) -> String {
    project_key_with(folder.as_ref(), |name| env::var_os(name))
}

/// The same with the variables of the CLI.
pub(crate) fn project_key_with(folder: &Path, value: impl Fn(&str) -> Option<OsString>) -> String {
    named(value).unwrap_or_else(|| sanitized(&canonical(folder)))
}

/// The name in the variable, if it counts: it does along with a configuration folder only.
pub(crate) fn named(value: impl Fn(&str) -> Option<OsString>) -> Option<String> {
    value("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty())?;
    let name = value(NAME)?.into_string().ok()?;
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_short = (1..=64).contains(&name.len());
    (is_short && name.bytes().all(is_safe) && !is_device(&name)).then_some(name)
}

/// Whether Windows has a device of this name.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered = ["com", "lpt"].iter().find_map(|device| name.strip_prefix(device));
    matches!(&*name, "aux" | "con" | "nul" | "prn")
        || numbered.is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']))
}

/// The path without links, in Unicode's composed form.
pub(super) fn canonical(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let resolved = absolute.ancestors().find_map(|ancestor| {
        let resolved = ancestor.canonicalize().ok()?;
        let rest = absolute.strip_prefix(ancestor).ok()?;
        // An empty rest would add a separator.
        Some(if rest.as_os_str().is_empty() { resolved } else { resolved.join(rest) })
    });
    composed(&resolved.unwrap_or(absolute))
}

/// A path as text in Unicode's composed form.
pub(super) fn composed(path: &Path) -> String {
    path.to_string_lossy().nfc().collect()
}

/// The folder's name: `-` for all but ASCII letters and digits, as JavaScript counts characters.
pub(super) fn sanitized(path: &str) -> String {
    let mut name: String = path
        .encode_utf16()
        .map(|unit| u8::try_from(unit).map_or('-', char::from))
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    if name.len() > LONGEST {
        name.truncate(LONGEST);
        name.push('-');
        name.push_str(&hash(path));
    }
    name
}

/// The hash of the SDKs for Node.js and Python, in base 36. The CLI has another one.
fn hash(path: &str) -> String {
    let hash = path
        .encode_utf16()
        .fold(0i32, |hash, unit| (hash << 5).wrapping_sub(hash).wrapping_add(unit.into()));
    let mut rest = hash.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(rest % 36, 36).unwrap_or('0'));
        rest /= 36;
        if rest == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The key under which a store has the sessions of a folder of the CLI's, if it may belong to the
/// project with this key: only at the end of a long name the CLI may have another hash.
pub(crate) fn key_of_folder<'a>(folder: &'a str, project_key: &'a str) -> &'a str {
    match project_key.get(..=LONGEST) {
        Some(prefix) if folder.starts_with(prefix) => project_key,
        _ => folder,
    }
}

/// The folder of a project below `projects`, if there is one. Of a long path the CLI may have
/// another hash than this SDK; then a transcript must be of the path, as others begin like it.
pub(super) fn find(projects: &Path, path: &str) -> Option<PathBuf> {
    let name = sanitized(path);
    let exact = projects.join(&name);
    if exact.is_dir() {
        return Some(exact);
    }
    let prefix = name.get(..=LONGEST)?;
    super::folders::in_folder(projects)
        .ok()?
        .into_iter()
        .filter(|folder| folder.file_name().is_some_and(|name| starts_with(name, prefix)))
        .find(|folder| is_of(folder, path))
}

/// Whether a session in this folder belongs to the working folder `path`.
fn is_of(folder: &Path, path: &str) -> bool {
    let transcripts = super::folders::transcripts(folder).unwrap_or_default();
    transcripts.iter().any(|(_, transcript)| cwd(transcript).as_deref() == Some(path))
}

/// The working folder of the session of a transcript, if that is known.
pub(super) fn cwd(transcript: &Path) -> Option<String> {
    let glance = Glance::read(transcript).ok().flatten()?;
    Some(composed(Path::new(&glance.cwd()?)))
}

/// Whether a session with this working folder, in the folder of a project, is of another one that
/// has a folder of the same name, such as `/my/app` and `/my-app`. What is in one of the folders
/// `own` is not.
pub(super) fn is_elsewhere(cwd: Option<&str>, project: &str, own: &[String]) -> bool {
    let is_other = |path: &str| path != project && sanitized(path) == sanitized(project);
    let is_own = |path: &str| own.iter().any(|own| Path::new(path).starts_with(own));
    let folder = cwd.filter(|folder| is_other(folder) && !is_own(folder));
    // What is gone may have been renamed, or was a link to the project.
    let folder = folder.and_then(|folder| Path::new(folder).canonicalize().ok());
    folder.is_some_and(|folder| is_other(&composed(&folder)))
}

/// Whether the name of a file or folder begins with a text.
pub(super) fn starts_with(name: &std::ffi::OsStr, prefix: &str) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(prefix))
}

#[cfg(test)]
mod tests;
