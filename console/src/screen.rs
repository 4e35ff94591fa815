//! What a command reads and writes.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::os::fd::AsFd;

use rustix::termios::tcgetwinsize;

use crate::error::chain;
use crate::failure::Failure;
use crate::sanitized::shown;
use crate::wire::{self, Guard};

/// The most bytes of a text that is read: a line of a server has no more by default.
const LONGEST: u64 = 64 * 1024 * 1024;
/// The columns of an output that is no terminal.
const COLUMNS: usize = 80;

/// Standard input and output, which belong to the command alone: as in a server, what tools and the
/// set-up of the registry print goes to standard error.
#[derive(Debug)]
pub struct Screen {
    input: File,
    /// Nothing more comes from it.
    is_read: Cell<bool>,
    output: File,
    error: File,
    /// Standard error is a terminal.
    pub is_terminal: bool,
    _guard: Guard,
}

impl Screen {
    /// Takes over descriptors 0 and 1; see [`take`](crate::wire::take).
    ///
    /// # Errors
    ///
    /// The descriptors cannot be copied, or were taken before.
    pub fn take() -> Result<Self, Failure> {
        let is_terminal = io::stderr().is_terminal();
        let error = io::stderr().as_fd().try_clone_to_owned()?;
        let taken = wire::take().and_then(|(wire, mut guard)| {
            guard.redirect()?;
            guard.drain()?;
            Ok((wire, guard))
        });
        let (wire, guard) = taken.map_err(|error| Failure::failed(chain(&error)))?;
        let (input, output) = (wire.input.into(), wire.output.into());
        let is_read = Cell::new(false);
        Ok(Self { input, is_read, output, error: error.into(), is_terminal, _guard: guard })
    }

    /// Writes to standard output; to a terminal nothing that commands it. A reader that wants no
    /// more, such as `head`, is no failure.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub fn print(&mut self, text: &str) -> Result<(), Failure> {
        match self.output.write_all(shown(text, &self.output).as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::failed(format!("standard output cannot be written: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Writes to standard error, which may be closed.
    pub fn note(&mut self, text: &str) {
        let _ = self.error.write_all(text.as_bytes());
    }

    /// All of standard input.
    ///
    /// # Errors
    ///
    /// Standard input cannot be read, is not UTF-8, or has more than 64 MiB.
    pub fn read(&self) -> Result<String, Failure> {
        self.read_file("-")
            .map_err(|error| Failure::failed(format!("standard input cannot be read: {error}")))
    }

    /// All of the file of this name; `-` is standard input, and so is a name of descriptor 0, which
    /// refers to the null device now.
    ///
    /// # Errors
    ///
    /// It cannot be read, is not UTF-8, or has more than 64 MiB. Or it is standard input, which was
    /// read already.
    pub fn read_file(&self, path: &str) -> io::Result<String> {
        match path {
            "-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" => {
                if self.is_read.replace(true) {
                    return Err(io::Error::other("standard input was read already"));
                }
                whole(&self.input)
            }
            path => whole(&File::open(path)?),
        }
    }

    /// The columns of standard output.
    pub fn width(&self) -> usize {
        width(&self.output)
    }

    /// The columns of standard error.
    pub fn width_of_notes(&self) -> usize {
        width(&self.error)
    }
}

/// All of a text, which may have no end.
///
/// # Errors
///
/// It cannot be read, is not UTF-8, or has more than 64 MiB.
fn whole(input: &File) -> io::Result<String> {
    let mut text = String::new();
    match input.take(LONGEST + 1).read_to_string(&mut text)? as u64 {
        0..=LONGEST => Ok(text),
        _ => Err(io::Error::other(format!("it has more than {LONGEST} bytes"))),
    }
}

/// `COLUMNS`, if it is set; else what the terminal says, if it is one.
fn width(file: &File) -> usize {
    let wanted = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || Some(tcgetwinsize(file).ok()?.ws_col.into());
    wanted.or_else(terminal).filter(|columns| *columns > 0).unwrap_or(COLUMNS)
}
