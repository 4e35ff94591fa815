//! The file of a recording, which both directions share.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::entry::Entry;
use super::secrets::Secrets;

#[derive(Clone)]
pub(super) struct Tape {
    file: Arc<Mutex<File>>,
    secrets: Arc<Secrets>,
    path: Arc<Path>,
}

impl Tape {
    /// # Errors
    ///
    /// The file cannot be created.
    pub(super) fn create(path: &Path, secrets: Secrets) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = folder.map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create(path));
        let file = file.map_err(|error| failed(path, &error))?;
        Ok(Self { file: Arc::new(Mutex::new(file)), secrets: secrets.into(), path: path.into() })
    }

    /// Writes a line, without its secrets.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn add(&self, mut entry: Entry) -> io::Result<()> {
        match &mut entry {
            Entry::Launch { args } => args.iter_mut().for_each(|arg| self.secrets.redact_arg(arg)),
            Entry::Sdk(message) | Entry::Cli(message) => self.secrets.redact(message),
            Entry::CliText(text) | Entry::Exit { stderr: text, .. } => {
                self.secrets.redact_text(text);
            }
            Entry::InputEnd => {}
        }
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        // One write for a line, so that the file has whole lines whenever the program ends.
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("the recording {} cannot be written: {error}", path.display());
    io::Error::new(error.kind(), text)
}
