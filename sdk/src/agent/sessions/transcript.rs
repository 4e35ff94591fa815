//! Reads the transcript of a session or a subagent, a file with an entry in each line.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::chain::Chain;

/// A longer line is passed over. It is more than the CLI can have read or written.
const LONGEST_LINE: u64 = 256 * 1024 * 1024;

/// The lines of a file, one after the other; in memory there is one at a time.
pub(super) struct FileLines<'a> {
    file: BufReader<&'a File>,
    line: Vec<u8>,
    /// Where the next line begins.
    at: u64,
    /// The longest line, in bytes with its end.
    longest: u64,
}

/// A line of a file.
pub(super) struct FileLine<'a> {
    pub(super) text: Cow<'a, str>,
    /// Its position in the file.
    pub(super) at: u64,
    /// In bytes, with its end.
    pub(super) length: usize,
}

impl<'a> FileLines<'a> {
    /// Reads on from where the file stands.
    pub(super) fn of(file: &'a File) -> Self {
        let file = BufReader::with_capacity(256 * 1024, file);
        Self { file, line: Vec::new(), at: 0, longest: LONGEST_LINE }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<FileLine<'_>>> {
        loop {
            self.line.clear();
            let at = self.at;
            let length = (&mut self.file).take(self.longest).read_until(b'\n', &mut self.line)?;
            self.at += length as u64;
            if length == 0 {
                return Ok(None);
            }
            if self.line.ends_with(b"\n") || (length as u64) < self.longest {
                break;
            }
            self.at += self.file.skip_until(b'\n')? as u64;
            tracing::warn!(at, "a line of a transcript is too long");
        }
        let (text, length) = (String::from_utf8_lossy(&self.line), self.line.len());
        Ok(Some(FileLine { text, at: self.at - length as u64, length }))
    }
}

/// A transcript's chain, and the file that its lines are in.
pub(super) struct Transcript {
    file: File,
    chain: Chain<Place>,
}

/// Where a line begins in the file, and its length.
pub(super) type Place = (u64, usize);

impl Transcript {
    /// Reads a file once from its beginning to its end.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mut chain = Chain::default();
        let mut lines = FileLines::of(&file);
        while let Some(FileLine { text, at, length }) = lines.next()? {
            chain.push(&text, (at, length));
        }
        Ok(Self { file, chain })
    }

    pub(super) fn chain(&mut self) -> &mut Chain<Place> {
        &mut self.chain
    }

    /// The lines at these positions of the chain. No others are in memory.
    pub(super) fn lines(&mut self, wanted: &[Place]) -> io::Result<Vec<String>> {
        let mut lines = Vec::with_capacity(wanted.len());
        for (at, length) in wanted {
            let mut line = vec![0; *length];
            self.file.seek(SeekFrom::Start(*at))?;
            self.file.read_exact(&mut line)?;
            lines.push(String::from_utf8_lossy(&line).into_owned());
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests;
