//! The user's configuration in a folder of its own.

use std::env;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;
use tokio::time::timeout;

use super::surroundings::Surroundings;
use super::write::write;
use crate::agent::sessions::open_file;
use crate::agent::transport::alone;
use crate::agent::user::User;

const CREDENTIALS: &str = ".credentials.json";
/// How long the key chain may take. If it is locked, it asks the user.
const LONGEST: Duration = Duration::from_secs(5);

/// Copies what the CLI needs to sign in and to behave as the user has set it. What is missing or
/// cannot be read, by the user that the CLI runs as if one is given, is left out.
pub(super) async fn copy(from: &Surroundings, to: &Path, user: Option<User>) -> io::Result<()> {
    let read = |path: &Path| read(path, user);
    if let Some(folder) = from.folder() {
        for name in ["settings.json", "cowork_settings.json"] {
            if let Some(settings) = read(&folder.join(name)) {
                write(&to.join(name), &without_plugins(settings))?;
            }
        }
        // The key chain is that of the user that this program runs as.
        let is_asked = from.config.is_none() && !from.has_key && user.is_none();
        let kept_apart = if is_asked { keychain().await } else { None };
        if let Some(credentials) = kept_apart.or_else(|| read(&folder.join(CREDENTIALS))) {
            write(&to.join(CREDENTIALS), &without_refresh_token(credentials))?;
        }
        // Where older versions kept the state, it still counts.
        if let Some(state) = read(&folder.join(".config.json")) {
            write(&to.join(".config.json"), &state)?;
        }
    }
    match from.state().and_then(|path| read(&path)) {
        Some(state) => write(&to.join(".claude.json"), &state),
        None => Ok(()),
    }
}

fn read(path: &Path, user: Option<User>) -> Option<Vec<u8>> {
    let mut contents = Vec::new();
    match open_file(path, user).and_then(|mut file| file.read_to_end(&mut contents)) {
        Ok(_) => Some(contents),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "it is left out");
            None
        }
    }
}

/// Plugins would be installed again, as the folder has none, and the folder must stay what it is.
fn without_plugins(settings: Vec<u8>) -> Vec<u8> {
    let text = settings.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&settings);
    changed(text, |settings| {
        for name in ["enabledPlugins", "extraKnownMarketplaces", "additionalMarketplaces"] {
            remove(settings, name);
        }
        if let Some(env) = settings.get_mut("env") {
            remove(env, "CLAUDE_CONFIG_DIR");
        }
    })
    .unwrap_or(settings)
}

/// A refresh token can be used once. If the copy were used, the user would be signed out.
fn without_refresh_token(credentials: Vec<u8>) -> Vec<u8> {
    let change = |credentials: &mut Value| {
        if let Some(oauth) = credentials.get_mut("claudeAiOauth") {
            remove(oauth, "refreshToken");
        }
    };
    changed(&credentials, change).unwrap_or(credentials)
}

/// `None` for what is no JSON object.
fn changed(json: &[u8], change: impl FnOnce(&mut Value)) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(json).ok()?;
    value.is_object().then(|| {
        change(&mut value);
        value.to_string().into_bytes()
    })
}

fn remove(object: &mut Value, removed: &str) {
    if let Value::Object(members) = object {
        members.retain(|name, _| name != removed);
    }
}

/// Where macOS has the credentials of a user without a configuration folder of his own.
async fn keychain() -> Option<Vec<u8>> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let mut security = Command::new("/usr/bin/security");
    security.args(["find-generic-password", "-w", "-s", "Claude Code-credentials"]);
    // A daemon may not know its name; the key chain is the user's anyway.
    if let Some(user) = env::var_os("USER") {
        security.arg("-a").arg(user);
    }
    let output = output(security, LONGEST).await?;
    let found = output.trim_ascii();
    (!found.is_empty()).then(|| found.to_vec())
}

/// What a program has written that succeeds in time. One that does not is ended.
async fn output(mut program: Command, limit: Duration) -> Option<Vec<u8>> {
    program.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let started = {
        let _alone = alone();
        program.spawn().ok()?
    };
    let output = timeout(limit, started.wait_with_output()).await.ok()?.ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests;
