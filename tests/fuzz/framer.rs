//! `jsonl::Lines` against a split of the whole stream: which lines it cuts, however the stream
//! comes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use toolwright::jsonl::{Line, Lines};

use crate::damage::damage;
use crate::dice::Dice;
use crate::setting;

/// The smallest bound that `Lines` has.
const CAP: usize = 65 * 1024;
const HEAD: usize = 64 * 1024;
const TAIL: usize = 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";
/// The most bytes that are added at once.
const MOST: usize = 100_000;

const SHORT: [&[u8]; 14] = [
    b"",
    b" \t ",
    b"\r",
    b"\r\r",
    b"{\"id\":1}",
    b"{\"id\":1}\r",
    b"{\"id\":1}\r\r",
    b" {} ",
    b"\xef\xbb\xbf{}",
    b"\xef\xbb\xbf",
    b"\xef\xbb",
    b"\0\xff",
    b"x",
    b"a line of more than one word, for the search in short texts ends at two hundred and fifty-six bytes, which this line is somewhat longer than, because it goes on and on about nothing at all until it has reached its end, which is not before this very last word here: end",
];

/// How the stream comes.
struct Way {
    dice: Dice,
    /// The most bytes of a part.
    part: usize,
}

/// Appends a line, and mostly its end.
fn line(dice: &mut Dice, stream: &mut Vec<u8>) {
    let mut line = dice.pick(&SHORT).to_vec();
    if dice.one_in(12) {
        let lengths =
            [HEAD - 1, HEAD + TAIL, CAP - 1, CAP, CAP + 1, CAP + 2, 2 * CAP, 3 * CAP + 17];
        let length = dice.pick(&lengths) + dice.roll(4);
        let byte = dice.pick(b"x \r\xe9");
        line.splice(0..0, vec![byte; length]);
    }
    if dice.one_in(3) {
        damage(dice, &mut line);
    }
    stream.extend(line);
    if !dice.one_in(30) {
        stream.push(b'\n');
    }
}

/// Feeds the stream, and compares each line.
fn check(stream: &[u8], way: &mut Way) -> Result<(), String> {
    let mut lines = Lines::new(CAP);
    let mut expected = stream.split(|byte| *byte == b'\n');
    let mut is_first = true;
    let mut compare = |found: Option<Line<'_>>| -> Result<bool, String> {
        let Some(found) = found else { return Ok(false) };
        loop {
            let raw = expected.next().ok_or_else(|| format!("one more: {:?}", short(&found)))?;
            let without = if is_first { raw.strip_prefix(BOM).unwrap_or(raw) } else { raw };
            is_first = false;
            let trimmed = without.strip_suffix(b"\r").unwrap_or(without);
            let is_blank = trimmed.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
            let is_right = match &found {
                Line::Whole(line) => *line == trimmed && !is_blank && trimmed.len() <= CAP,
                Line::TooLong { head, tail, length } => {
                    // The mark may also be gone from a line that is not the first.
                    let unmarked = trimmed.strip_prefix(BOM).unwrap_or(trimmed);
                    trimmed.ends_with(tail)
                        && tail.len() + 1 >= TAIL
                        && head.len() + BOM.len() >= HEAD
                        && ((trimmed.starts_with(head) && *length == trimmed.len())
                            || (unmarked.starts_with(head) && *length == unmarked.len()))
                        && raw.len() > CAP
                }
                _ => false,
            };
            match is_right {
                true => return Ok(true),
                // Of a line that is blank and over the bound, both are right.
                false if is_blank => {}
                false => return Err(format!("{:?} is not {:?}", short(&found), raw.len())),
            }
        }
    };
    // A reader takes lines as they are, or into memory of its own.
    let (is_owner, mut own) = (way.dice.one_in(2), Vec::new());
    let mut rest = stream;
    while !rest.is_empty() {
        let (part, left) = rest.split_at((1 + way.dice.roll(way.part)).min(rest.len()));
        rest = left;
        lines.push(part);
        while compare(if is_owner { lines.next_into(&mut own) } else { lines.next() })? {}
        let kept = lines.buffer().len();
        if kept > CAP + MOST {
            return Err(format!("{kept} bytes are kept"));
        }
    }
    compare(lines.finish())?;
    match expected.find(|raw| {
        let raw = raw.strip_prefix(BOM).unwrap_or(raw);
        !raw.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
    }) {
        Some(raw) => Err(format!("a line of {} bytes is lost", raw.len())),
        None => Ok(()),
    }
}

fn short(line: &Line<'_>) -> String {
    match line {
        Line::Whole(line) => format!("{} bytes: {:.80}", line.len(), line.escape_ascii()),
        Line::TooLong { length, .. } => format!("a long line of {length} bytes"),
        line => format!("{line:?}"),
    }
}

/// Sends so many random streams; returns how many lines they had.
fn fuzz(seed: u64, streams: u64) -> usize {
    let mut dice = Dice::new(seed);
    let mut count = 0;
    let mut stream = Vec::new();
    for number in 0..streams {
        stream.clear();
        for _ in 0..1 + dice.roll(12) {
            line(&mut dice, &mut stream);
        }
        count += stream.iter().filter(|byte| **byte == b'\n').count();
        let part = dice.pick(&[40, 300, 5_000, MOST]);
        let mut way = Way { dice: dice.clone(), part };
        let checked = catch_unwind(AssertUnwindSafe(|| check(&stream, &mut way)));
        let fault = match checked {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(_) => "a panic".to_owned(),
        };
        panic!("{fault}\n  stream {number} of seed {seed}, in parts of {part}");
    }
    count
}

/// Streams at the edges, in parts of every size.
#[test]
fn the_kept_streams_are_cut_into_lines() {
    let long = |length: usize, end: &str| [vec![b'x'; length], end.into()].concat();
    let mut corpus: Vec<Vec<u8>> = vec![
        Vec::new(),
        b"\n".into(),
        b"\r\n\r\n".into(),
        b"{}".into(),
        b"{}\n{}\r\n \n{}".into(),
        [BOM, b"{}\n", BOM, b"{}\n"].concat(),
        [BOM, b"\n{}"].concat(),
        [BOM, BOM, b"{}"].concat(),
        b"\xef\xbb".into(),
        b"{}\r\r\n".into(),
        b"a\rb\n".into(),
        [vec![b' '; CAP + 10], b"\n{}\n".into()].concat(),
        [BOM.into(), long(CAP, "\r\n{}")].concat(),
        [BOM.into(), long(CAP + 1, "\r\n{}")].concat(),
        [BOM, BOM, &long(CAP + 1, "\r\r\n{}")].concat(),
        [b"{}\n".into(), BOM.into(), long(CAP + 1, "\n")].concat(),
    ];
    for length in [HEAD, HEAD + TAIL, CAP - 1, CAP, CAP + 1, 2 * CAP, 5 * CAP] {
        corpus.extend(["", "\n", "\r\n", "\r\r\n{}\n"].map(|end| long(length, end)));
        corpus.push([long(length, "\n"), long(length, "\n")].concat());
    }
    for stream in corpus {
        for part in [1, 2, 3, 17, 1_000, HEAD, MOST] {
            if part < 100 && stream.len() > 2 * CAP {
                continue;
            }
            let mut way = Way { dice: Dice::new(part as u64), part };
            let begin = stream[..stream.len().min(40)].escape_ascii();
            check(&stream, &mut way)
                .unwrap_or_else(|fault| panic!("{fault}: {begin} in parts of {part}"));
        }
    }
}

#[test]
fn random_streams_are_cut_into_lines() {
    fuzz(setting("FUZZ_SEED", 1), 300);
}

/// `FUZZ_STREAMS` streams, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_streams_are_cut_into_lines() {
    let (begin, streams) = (Instant::now(), setting("FUZZ_STREAMS", 100_000));
    let lines = fuzz(setting("FUZZ_SEED", 1_000), streams);
    eprintln!("{streams} streams with {lines} lines in {:?}", begin.elapsed());
}
