use std::fs::File;
use std::io::{Read, Write, pipe};

use super::*;

fn full() -> Sink {
    Sink::of(File::options().write(true).open("/dev/full").unwrap().into())
}

#[test]
fn output_for_a_disk_that_is_full_is_written_once_there_is_room() {
    let (from, mut program) = pipe().unwrap();
    let mut stray = Stray::new(from.into(), full());
    program.write_all(b"one ").unwrap();
    // It is read, and cannot be written.
    assert!(stray.step().is_ok() && stray.step().is_ok());
    let (mut log, to) = pipe().unwrap();
    stray.to = Sink::of(to.into());
    program.write_all(b"two").unwrap();
    drop(program);
    while stray.step().is_ok() {}
    drop(stray);
    let mut written = String::new();
    log.read_to_string(&mut written).unwrap();
    assert_eq!(written, "one two");
}

#[test]
fn a_disk_that_stays_full_delays_no_end() {
    let (from, mut program) = pipe().unwrap();
    let mut stray = Stray::new(from.into(), full());
    program.write_all(&[b'x'; 10_000]).unwrap();
    drop(program);
    let steps = (0..20).take_while(|_| stray.step().is_ok()).count();
    assert!(steps < 20, "it has not ended");
}

#[test]
fn a_reader_that_has_gone_gets_no_more() {
    let (from, mut program) = pipe().unwrap();
    let (reader, to) = pipe().unwrap();
    drop(reader);
    let mut stray = Stray::new(from.into(), Sink::of(to.into()));
    program.write_all(b"lost").unwrap();
    assert!(stray.step().is_ok() && stray.step().is_ok());
    assert!(stray.broken && stray.backlog.is_empty());
}
