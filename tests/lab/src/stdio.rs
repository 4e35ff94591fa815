//! Standard input and output without a buffer and without a lock.
//!
//! The standard library's own look for line feeds and lock, which is work that a floor must not do.

use std::io::{self, Read};

use rustix::stdio::{stdin, stdout};

pub struct Input;

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(stdin(), buffer)?)
    }
}

pub fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = rustix::io::write(stdout(), bytes)?;
        bytes = &bytes[count..];
    }
    Ok(())
}
