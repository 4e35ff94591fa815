use std::fs::File;
use std::io::{Read, Write, pipe};
use std::thread;

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

#[test]
fn output_that_nobody_takes_is_bounded_and_what_is_dropped_is_told() {
    const ALL: usize = 1024 * 1024;
    let (from, mut program) = pipe().unwrap();
    let (mut log, to) = pipe().unwrap();
    let mut stray = Stray::new(from.into(), Sink::of(to.into()));
    for _ in 0..ALL / 4096 {
        program.write_all(&[b'x'; 4096]).unwrap();
        assert!(stray.step().is_ok() && stray.backlog.len() <= BACKLOG);
    }
    let dropped = stray.dropped;
    let reader = thread::spawn(move || {
        let mut written = String::new();
        log.read_to_string(&mut written).unwrap();
        written
    });
    while stray.backlog.len() >= BACKLOG / 2 {
        assert!(stray.step().is_ok());
    }
    program.write_all(b"end").unwrap();
    drop(program);
    while stray.step().is_ok() {}
    drop(stray);
    let written = reader.join().unwrap();
    let note = format!("[{dropped} bytes of output were dropped: standard error took no more]");
    assert!(written.contains(&note) && written.ends_with("end"), "{note}");
    assert_eq!(written.matches('x').count() + dropped, ALL);
}
