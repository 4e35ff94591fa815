//! Damaged messages of the CLI: how they are read and shown, and recordings of such messages.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;
use toolwright::agent::Message;
use toolwright::agent::view::{Events, Renderer, Style};
use toolwright::testing::ScriptedCli;

use crate::damage::damage;
use crate::dice::Dice;
use crate::setting;

/// One message of each kind.
const GOLDEN: &str = include_str!("../../sdk/src/agent/message/tests/golden.jsonl");
/// A recorded run.
const RECORDING: &str = include_str!("../../examples/22_subagents.jsonl");

/// Escape sequences, what turns texts around, and what is as wide as it likes.
const PIECES: [&str; 6] = [
    "\\u001b[2J",
    "\\u202e",
    "\\u009b31m",
    "\\r\\n\\n",
    "\\u0301\\u0301",
    "\u{1f468}\u{200d}\u{1f469}",
];

fn message(dice: &mut Dice, lines: &[&str]) -> String {
    let mut line = dice.pick(lines).as_bytes().to_vec();
    if dice.one_in(2) {
        let quotes: Vec<_> = (0..line.len()).filter(|at| line[*at] == b'"').collect();
        if !quotes.is_empty() {
            let at = dice.pick(&quotes) + 1;
            line.splice(at..at, dice.pick(&PIECES).bytes());
        }
    }
    if dice.one_in(2) {
        damage(dice, &mut line);
    }
    String::from_utf8_lossy(&line).into_owned()
}

/// Reads and shows one message after the other, as one run.
fn check(dice: &mut Dice, lines: &[&str], said: &mut Vec<String>) -> Result<(), String> {
    let mut events = Events::default();
    let style = [Style::default(), narrow()][dice.roll(2)];
    let mut renderer = Renderer::new(Vec::new(), style);
    for number in 0..1 + dice.roll(12) {
        let line = message(dice, lines);
        said.push(line.clone());
        let message = Message::parse(&*line);
        if message.raw() != line {
            return Err("the text is not kept".into());
        }
        let _ = format!("{message:?}");
        for event in events.read(&message, Duration::from_millis(number as u64)) {
            renderer.show(&event).map_err(|error| error.to_string())?;
            let _ = serde_json::to_string(&event);
        }
    }
    let shown = String::from_utf8(renderer.into_inner()).map_err(|error| error.to_string())?;
    match shown.chars().find(|char| char.is_control() && *char != '\n') {
        Some(char) => Err(format!("the terminal gets {char:?}")),
        None => Ok(()),
    }
}

fn narrow() -> Style {
    let mut style = Style::default();
    style.width = 1;
    style
}

fn fuzz(seed: u64, count: u64) {
    let lines: Vec<_> = GOLDEN.lines().collect();
    let mut dice = Dice::new(seed);
    for number in 0..count {
        let mut said = Vec::new();
        let checked = catch_unwind(AssertUnwindSafe(|| check(&mut dice, &lines, &mut said)));
        if let Err(fault) = checked.unwrap_or_else(|_| Err("a panic".into())) {
            panic!("{fault}\n  run {number} of seed {seed}:\n{}", said.join("\n"));
        }
    }
}

/// Reads recordings with some damage. What is read is a recording to its last line.
fn fuzz_recordings(seed: u64, count: u64) {
    let mut dice = Dice::new(seed);
    let name = format!("toolwright-fuzz-{seed}-{}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(name);
    for number in 0..count {
        let mut lines: Vec<_> = RECORDING.lines().map(|line| line.as_bytes().to_vec()).collect();
        let at = dice.roll(lines.len());
        damage(&mut dice, &mut lines[at]);
        fs::write(&path, lines.join(&b'\n')).unwrap();
        // A line of which nothing is left is no line. A `Value` would refuse deep ones too.
        let is_whole = lines
            .iter()
            .all(|line| line.is_empty() || serde_json::from_slice::<IgnoredAny>(line).is_ok());
        let read = catch_unwind(AssertUnwindSafe(|| ScriptedCli::replay(&path).is_ok()));
        match read {
            Ok(is_read) if is_whole || !is_read => {}
            other => panic!("{other:?}, recording {number} of seed {seed}, {}", path.display()),
        }
    }
    let _ = fs::remove_file(path);
}

#[test]
fn the_kept_messages_are_read_and_shown() {
    let lines: Vec<_> = GOLDEN.lines().collect();
    let mut renderer = Renderer::new(Vec::new(), narrow());
    let mut events = Events::default();
    for line in &lines {
        for event in events.read(&Message::parse(*line), Duration::ZERO) {
            renderer.show(&event).unwrap();
        }
    }
    assert!(!renderer.into_inner().is_empty());
}

#[test]
fn random_messages_are_read_and_shown() {
    fuzz(setting("FUZZ_SEED", 1), 2_000);
}

#[test]
fn random_recordings_are_read_or_refused() {
    fuzz_recordings(setting("FUZZ_SEED", 1), 200);
}

/// `FUZZ_MESSAGES` runs and a hundredth as many recordings, from `FUZZ_SEED` on.
#[test]
#[ignore = "it takes as long as one likes"]
fn many_random_messages_are_read_and_shown() {
    let (begin, count) = (Instant::now(), setting("FUZZ_MESSAGES", 1_000_000));
    let seed = setting("FUZZ_SEED", 1_000);
    fuzz(seed, count);
    fuzz_recordings(seed, count / 100);
    eprintln!("{count} runs in {:?}", begin.elapsed());
}
