//! Reads regular expressions.

use std::str::Chars;

/// A part of an expression.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    One(Set),
    Assert(Assertion),
    All(Vec<Piece>),
    Either(Vec<Piece>),
    Repeat { piece: Box<Piece>, least: u32, most: Option<u32> },
}

/// A set of characters.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    ranges: Vec<(char, char)>,
    /// True if it has all characters but these.
    is_negated: bool,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Assertion {
    Start,
    End,
    Word(bool),
}

/// How many groups an expression may have inside each other.
pub(super) const DEEPEST: usize = 100;

/// The rest of an expression.
struct Text<'a>(Chars<'a>);

const DIGIT: &[(char, char)] = &[('0', '9')];
const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
const SPACE: &[(char, char)] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
/// What `.` does not match.
const LINE_END: &[(char, char)] = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

impl Text<'_> {
    fn next(&mut self) -> Option<char> {
        self.0.next()
    }

    fn peek(&self) -> Option<char> {
        self.0.clone().next()
    }

    /// Goes past a character if it is the next one.
    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }
}

impl Set {
    fn of(ranges: &[(char, char)], is_negated: bool) -> Self {
        Self { ranges: ranges.to_vec(), is_negated }
    }

    pub(super) fn has(&self, char: char) -> bool {
        self.ranges.iter().any(|(from, to)| (*from..=*to).contains(&char)) != self.is_negated
    }

    /// Adds another set.
    fn add(&mut self, other: &Self) {
        if !other.is_negated {
            return self.ranges.extend(&other.ranges);
        }
        // The gaps between the ranges, which are in order.
        let mut from = 0;
        for (start, end) in other.ranges.iter().copied().chain([(char::MAX, char::MAX)]) {
            let before = u32::from(start).checked_sub(1).filter(|before| *before >= from);
            let gap = char::from_u32(from).zip(before.and_then(char::from_u32));
            self.ranges.extend(gap);
            from = u32::from(end) + 1;
        }
    }
}

impl Assertion {
    pub(super) fn holds(self, before: Option<char>, after: Option<char>) -> bool {
        let is_word = |char: Option<char>| {
            char.is_some_and(|char| char.is_ascii_alphanumeric() || char == '_')
        };
        match self {
            Self::Start => before.is_none(),
            Self::End => after.is_none(),
            Self::Word(is_edge) => (is_word(before) != is_word(after)) == is_edge,
        }
    }
}

/// `None` if the expression is wrong, or has something else than these parts.
pub(super) fn parse(text: &str) -> Option<Piece> {
    let mut text = Text(text.chars());
    let piece = either(&mut text, 0)?;
    text.next().is_none().then_some(piece)
}

fn either(text: &mut Text<'_>, depth: usize) -> Option<Piece> {
    if depth > DEEPEST {
        return None;
    }
    let mut branches = Vec::new();
    let mut pieces = Vec::new();
    loop {
        match text.peek() {
            None | Some(')') => break,
            Some('|') => {
                text.next();
                branches.push(Piece::All(std::mem::take(&mut pieces)));
            }
            Some(_) => {
                let piece = one(text, depth)?;
                pieces.push(repeated(piece, text)?);
            }
        }
    }
    branches.push(Piece::All(pieces));
    Some(Piece::Either(branches))
}

fn one(text: &mut Text<'_>, depth: usize) -> Option<Piece> {
    Some(match text.next()? {
        '^' => Piece::Assert(Assertion::Start),
        '$' => Piece::Assert(Assertion::End),
        '.' => Piece::One(Set::of(LINE_END, true)),
        '[' => Piece::One(class(text)?),
        '(' => {
            if text.takes('?') {
                match text.next()? {
                    ':' => {}
                    '<' => {
                        let first = until('>', text).chars().next()?;
                        if !first.is_alphabetic() && first != '_' {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
            let piece = either(text, depth + 1)?;
            if !text.takes(')') {
                return None;
            }
            piece
        }
        '\\' if text.takes('b') => Piece::Assert(Assertion::Word(true)),
        '\\' if text.takes('B') => Piece::Assert(Assertion::Word(false)),
        '\\' => Piece::One(escape(text)?),
        '*' | '+' | '?' | '{' => return None,
        char => Piece::One(Set::of(&[(char, char)], false)),
    })
}

fn repeated(piece: Piece, text: &mut Text<'_>) -> Option<Piece> {
    let (least, most) = if text.takes('*') {
        (0, None)
    } else if text.takes('+') {
        (1, None)
    } else if text.takes('?') {
        (0, Some(1))
    } else if text.takes('{') {
        let least = number(text)?;
        let is_open = text.takes(',');
        let most = match text.peek()? {
            '}' => (!is_open).then_some(least),
            _ if is_open => Some(number(text)?),
            _ => return None,
        };
        if !text.takes('}') {
            return None;
        }
        (least, most)
    } else {
        return Some(piece);
    };
    // What is preferred makes no difference to whether there is a match.
    text.takes('?');
    let is_wrong = most.is_some_and(|most| most < least) || matches!(piece, Piece::Assert(_));
    (!is_wrong).then_some(Piece::Repeat { piece: piece.into(), least, most })
}

fn number(text: &mut Text<'_>) -> Option<u32> {
    let mut digits = String::new();
    while let Some(digit) = text.peek().filter(char::is_ascii_digit) {
        text.next();
        digits.push(digit);
    }
    digits.parse().ok()
}

/// What follows `[`.
fn class(text: &mut Text<'_>) -> Option<Set> {
    let mut set = Set { is_negated: text.takes('^'), ..Set::default() };
    loop {
        let from = match text.next()? {
            ']' => return Some(set),
            '\\' => class_escape(text)?,
            char => Set::of(&[(char, char)], false),
        };
        let single = |set: &Set| match set.ranges.as_slice() {
            [(from, to)] if from == to && !set.is_negated => Some(*from),
            _ => None,
        };
        if !text.takes('-') {
            set.add(&from);
            continue;
        }
        let to = match text.next()? {
            ']' => {
                set.add(&from);
                set.add(&Set::of(&[('-', '-')], false));
                return Some(set);
            }
            '\\' => class_escape(text)?,
            char => Set::of(&[(char, char)], false),
        };
        let (from, to) = (single(&from)?, single(&to)?);
        if to < from {
            return None;
        }
        set.ranges.push((from, to));
    }
}

fn class_escape(text: &mut Text<'_>) -> Option<Set> {
    if text.takes('b') {
        return Some(Set::of(&[('\u{8}', '\u{8}')], false));
    }
    escape(text)
}

/// What follows a backslash.
fn escape(text: &mut Text<'_>) -> Option<Set> {
    let char = match text.next()? {
        'd' => return Some(Set::of(DIGIT, false)),
        'D' => return Some(Set::of(DIGIT, true)),
        'w' => return Some(Set::of(WORD, false)),
        'W' => return Some(Set::of(WORD, true)),
        's' => return Some(Set::of(SPACE, false)),
        'S' => return Some(Set::of(SPACE, true)),
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' if !text.peek().is_some_and(|next| next.is_ascii_digit()) => '\0',
        'x' => hex(text, 2)?,
        'u' if text.takes('{') => {
            let digits = until('}', text);
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
        }
        'u' => hex(text, 4)?,
        // An unknown letter or digit may mean what this does not know.
        char if char.is_alphanumeric() => return None,
        char => char,
    };
    Some(Set::of(&[(char, char)], false))
}

/// What stands before the next `end`, which is taken too.
fn until(end: char, text: &mut Text<'_>) -> String {
    let mut inside = String::new();
    while let Some(char) = text.next().filter(|char| *char != end) {
        inside.push(char);
    }
    inside
}

fn hex(text: &mut Text<'_>, digits: usize) -> Option<char> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + text.next()?.to_digit(16)?;
    }
    char::from_u32(code)
}
