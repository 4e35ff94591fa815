//! Reads regular expressions.
//!
//! All of ECMA-262 is read, as JavaScript does it with the flag `u`, but for the names of Unicode's
//! properties. Of ECMA-262 of 2025, flags of a group and a name for two groups are not read: Node
//! has had them since 23. What the matcher does not know becomes some other piece of the grammar.

use std::str::Chars;

use super::set::{DIGIT, LINE_END, SPACE, Set, WORD};
use crate::mcp::schema::portable::SYNTAX;
use crate::mcp::words::has_only;

/// A regular expression.
pub(super) struct Expression {
    pub(super) piece: Piece,
    /// True if it has something that the matcher does not know.
    pub(super) is_beyond: bool,
}

/// A part of an expression.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    One(Set),
    Assert(Assertion),
    All(Vec<Piece>),
    Either(Vec<Piece>),
    Repeat { piece: Box<Piece>, least: u32, most: Option<u32> },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Assertion {
    Start,
    End,
    Word(bool),
}

/// How many groups an expression may have inside each other.
pub(super) const DEEPEST: usize = 100;

/// The rest of an expression, and what was found in it so far.
struct Text<'a> {
    rest: Chars<'a>,
    is_beyond: bool,
    /// The number of groups that can be referred to, and the names of some.
    groups: u32,
    names: Vec<String>,
    /// The highest number that is referred to, and all names.
    highest: u32,
    references: Vec<String>,
}

impl<'a> Text<'a> {
    fn next(&mut self) -> Option<char> {
        self.rest.next()
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Goes past a character if it is the next one.
    fn takes(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    /// What stands before the next `end`, which is taken too.
    fn until(&mut self, end: char) -> Option<&'a str> {
        let (inside, rest) = self.rest.as_str().split_once(end)?;
        self.rest = rest.chars();
        Some(inside)
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

/// `None` if the expression is wrong, or too deep.
pub(super) fn parse(text: &str) -> Option<Expression> {
    let mut text = Text {
        rest: text.chars(),
        is_beyond: false,
        groups: 0,
        names: Vec::new(),
        highest: 0,
        references: Vec::new(),
    };
    let piece = either(&mut text, 0)?;
    let Text { rest, is_beyond, groups, names, highest, references } = text;
    let is_known = highest <= groups && references.iter().all(|name| names.contains(name));
    (is_known && rest.as_str().is_empty()).then_some(Expression { piece, is_beyond })
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
        '(' => group(text, depth)?,
        '\\' => match text.peek()? {
            edge @ ('b' | 'B') => {
                text.next();
                Piece::Assert(Assertion::Word(edge == 'b'))
            }
            'k' | '1'..='9' => reference(text)?,
            _ => Piece::One(escape(text)?),
        },
        '*' | '+' | '?' | '{' | '}' | ']' => return None,
        char => Piece::One(Set::one(char.into())),
    })
}

/// What follows `(`.
fn group(text: &mut Text<'_>, depth: usize) -> Option<Piece> {
    let mut is_look = false;
    if text.takes('?') {
        match text.next()? {
            ':' => {}
            '=' | '!' => is_look = true,
            '<' if text.takes('=') || text.takes('!') => is_look = true,
            '<' => {
                let name = name(text)?;
                if text.names.contains(&name) {
                    return None;
                }
                text.names.push(name);
                text.groups += 1;
            }
            _ => return None,
        }
    } else {
        text.groups += 1;
    }
    let piece = either(text, depth + 1)?;
    if !text.takes(')') {
        return None;
    }
    if is_look {
        text.is_beyond = true;
        return Some(Piece::Assert(Assertion::Start));
    }
    Some(piece)
}

/// What follows a backslash, if it refers back to a group.
fn reference(text: &mut Text<'_>) -> Option<Piece> {
    text.is_beyond = true;
    if !text.takes('k') {
        text.highest = text.highest.max(number(text)?);
    } else if text.takes('<') {
        let name = name(text)?;
        text.references.push(name);
    } else {
        return None;
    }
    Some(Piece::All(Vec::new()))
}

/// The name of a group, which ends with `>`.
fn name(text: &mut Text<'_>) -> Option<String> {
    let mut name = String::new();
    while !text.takes('>') {
        name.push(match text.next()? {
            '\\' if text.takes('u') => char::from_u32(unicode(text)?)?,
            char => char,
        });
    }
    let is_word = |char: char| !char.is_ascii() || has_only(char.encode_utf8(&mut [0; 4]), b"_$");
    let begins = name.starts_with(|first: char| !first.is_ascii_digit());
    (begins && name.chars().all(is_word)).then_some(name)
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

/// A number, or the greatest one for those above it.
fn number(text: &mut Text<'_>) -> Option<u32> {
    let mut number = None::<u32>;
    while let Some(digit) = text.peek().and_then(|char| char.to_digit(10)) {
        text.next();
        let tens = number.unwrap_or_default().saturating_mul(10);
        number = Some(tens.saturating_add(digit));
    }
    number
}

/// What follows `[`.
fn class(text: &mut Text<'_>) -> Option<Set> {
    let mut set = Set::of(&[], text.takes('^'));
    while !text.takes(']') {
        let from = of_class(text)?;
        if !text.takes('-') {
            set.add(&from);
        } else if text.peek()? == ']' {
            set.add(&from);
            set.add(&Set::one('-'.into()));
        } else {
            let to = of_class(text)?;
            set.add_range(from.single()?, to.single()?)?;
        }
    }
    Some(set)
}

/// A character of a class, or a set of them.
fn of_class(text: &mut Text<'_>) -> Option<Set> {
    match text.next()? {
        '\\' if text.takes('b') => Some(Set::one(8)),
        '\\' if text.takes('-') => Some(Set::one('-'.into())),
        '\\' => escape(text),
        char => Some(Set::one(char.into())),
    }
}

/// What follows a backslash.
fn escape(text: &mut Text<'_>) -> Option<Set> {
    let code = match text.next()? {
        'd' => return Some(Set::of(DIGIT, false)),
        'D' => return Some(Set::of(DIGIT, true)),
        'w' => return Some(Set::of(WORD, false)),
        'W' => return Some(Set::of(WORD, true)),
        's' => return Some(Set::of(SPACE, false)),
        'S' => return Some(Set::of(SPACE, true)),
        'p' | 'P' => return property(text),
        'n' => '\n'.into(),
        't' => '\t'.into(),
        'r' => '\r'.into(),
        'f' => 0xc,
        'v' => 0xb,
        'c' => u32::from(text.next().filter(char::is_ascii_alphabetic)?) % 32,
        '0' if !text.peek().is_some_and(|next| next.is_ascii_digit()) => 0,
        'x' => hex(&mut text.rest, 2)?,
        'u' => unicode(text)?,
        char if SYNTAX.contains(char) => char.into(),
        _ => return None,
    };
    Some(Set::one(code))
}

/// What follows `\p`: a property of Unicode.
fn property(text: &mut Text<'_>) -> Option<Set> {
    if !text.takes('{') {
        return None;
    }
    text.is_beyond = true;
    let mut words = text.until('}')?.splitn(2, '=');
    words.all(|word| !word.is_empty() && has_only(word, b"_")).then(Set::default)
}

/// What follows `\u`.
fn unicode(text: &mut Text<'_>) -> Option<u32> {
    if text.takes('{') {
        let digits = text.until('}').filter(|digits| !digits.starts_with('+'))?;
        let code = u32::from_str_radix(digits, 16).ok();
        return code.filter(|code| *code <= u32::from(char::MAX));
    }
    let first = hex(&mut text.rest, 4)?;
    let mut rest = text.rest.clone();
    if (0xd800..0xdc00).contains(&first)
        && (rest.next(), rest.next()) == (Some('\\'), Some('u'))
        && let Some(second @ 0xdc00..=0xdfff) = hex(&mut rest, 4)
    {
        text.rest = rest;
        return Some(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
    }
    Some(first)
}

fn hex(text: &mut Chars<'_>, digits: usize) -> Option<u32> {
    let mut code = 0;
    for _ in 0..digits {
        code = code * 16 + text.next()?.to_digit(16)?;
    }
    Some(code)
}
