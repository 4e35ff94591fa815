//! The file of a recording, which both directions share.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::entry::Entry;
use super::secrets::Secrets;

#[derive(Clone)]
pub(super) struct Tape {
    reel: Arc<Mutex<Reel>>,
    path: Arc<Path>,
    /// The CLI has said all.
    output_ended: Arc<AtomicBool>,
}

struct Reel {
    file: File,
    secrets: Secrets,
}

impl Tape {
    /// # Errors
    ///
    /// The file cannot be created.
    pub(super) fn create(path: &Path, secrets: Secrets) -> io::Result<Self> {
        let file = create(path).map_err(|error| failed(path, &error))?;
        Ok(Self {
            reel: Arc::new(Mutex::new(Reel { file, secrets })),
            path: path.into(),
            output_ended: Arc::default(),
        })
    }

    /// The CLI has said all.
    pub(super) fn end_output(&self) {
        self.output_ended.store(true, Relaxed);
    }

    /// Whether the CLI has said all.
    pub(super) fn output_has_ended(&self) -> bool {
        self.output_ended.load(Relaxed)
    }

    /// Writes a line, without its secrets.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn add(&self, mut entry: Entry) -> io::Result<()> {
        let mut reel = self.reel.lock().unwrap_or_else(PoisonError::into_inner);
        let Reel { file, secrets } = &mut *reel;
        // It may set other servers or settings.
        if let Entry::Sdk(message) = &entry
            && message["type"] == "control_request"
        {
            secrets.learn(message);
        }
        match &mut entry {
            Entry::Launch { args } => args.iter_mut().for_each(|arg| secrets.redact_arg(arg)),
            Entry::Sdk(message) | Entry::Cli(message) => secrets.redact(message),
            Entry::CliText(text) | Entry::Exit { stderr: text, .. } => secrets.redact_text(text),
            Entry::InputEnd => {}
        }
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // One write for a line, so that the file has whole lines whenever the program ends.
        file.write_all(&line).map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, error: &io::Error) -> io::Error {
        failed(&self.path, error)
    }
}

/// Not all secrets are found, so others can read neither the file nor a folder that is new.
fn create(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

fn failed(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("the recording {} cannot be written: {error}", path.display());
    io::Error::new(error.kind(), text)
}
