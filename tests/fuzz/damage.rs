//! Damages lines.

use crate::dice::Dice;

const BYTES: &[u8] = b"{}[]\":,\\ 0159eE+-.tfnu/\t\r\x00\x1f\x7f\xff\xc3\xa9\xed\xa0\xf0";
const PIECES: [&str; 14] = [
    ",",
    "{",
    "}",
    "\"",
    "null",
    "\\u0000",
    "\u{feff}",
    "\r",
    "\0",
    "\"id\":1,",
    ",\"method\":\"ping\"",
    "\"params\":[tru],",
    "\u{2028}",
    "\"a\":1e400,",
];

/// White space, of none to three characters.
pub(crate) fn gap(dice: &mut Dice, out: &mut Vec<u8>) {
    for _ in 0..dice.roll(4) {
        out.push(dice.pick(b"  \t\r"));
    }
}

/// Damages a line in one to three places. It may still be valid.
pub(crate) fn damage(dice: &mut Dice, line: &mut Vec<u8>) {
    for _ in 0..1 + dice.roll(8) / 6 {
        let at = dice.roll(line.len() + 1);
        match dice.roll(12) {
            0 => line.truncate(at),
            1..=3 if at < line.len() => line[at] = dice.pick(BYTES),
            4 | 5 => line.insert(at, dice.pick(BYTES)),
            6 | 7 if at < line.len() => drop(line.remove(at)),
            8 => {
                let (from, length) = (dice.roll(line.len() + 1), dice.roll(24));
                let copy = line[from..line.len().min(from + length)].to_vec();
                line.splice(at..at, copy);
            }
            9 => drop(line.splice(at..at, dice.pick(&PIECES).bytes())),
            10 => line.insert(0, dice.pick(b"\xef \r\t{")),
            _ if dice.one_in(20) => nest(dice, line, at),
            _ => line.push(dice.pick(b"\r} ,\"")),
        }
    }
}

/// A value of great depth, as a member where one may stand.
fn nest(dice: &mut Dice, line: &mut Vec<u8>, at: usize) {
    let at = line[at..].iter().position(|byte| *byte == b'{').map_or(at, |brace| at + brace + 1);
    let depth = 1 + dice.roll(300);
    let ends = if dice.one_in(4) { depth - 1 } else { depth };
    let value = [b"\"deep\":".to_vec(), vec![b'['; depth], vec![b']'; ends], b",".to_vec()];
    line.splice(at..at, value.concat());
}
