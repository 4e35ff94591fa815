//! What a hook's matcher fits: nothing, `*` and the empty text fit all; words with `|` between them
//! fit exactly; anything else is a regular expression that may fit any part (agent-protocol e.1,
//! and the settings' documentation).
//!
//! Of regular expressions there is what matchers of tool names are made of: `.`, classes such as
//! `[a-z]`, `*`, `+`, `?`, `^`, `$`, `\` and, at the top, `|`. Others are an error of `initialize`,
//! so that a test does not pass because its hook was never called.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Matcher {
    Any,
    Words(Vec<String>),
    /// One of these.
    Pattern(Vec<Pattern>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    items: Vec<Item>,
    from_start: bool,
    to_end: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    one: One,
    min: usize,
    max: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum One {
    Any,
    Char(char),
    Class { ranges: Vec<(char, char)>, is_negated: bool },
}

impl Matcher {
    /// # Errors
    ///
    /// It is a regular expression that is not played.
    pub(super) fn read(matcher: Option<&str>) -> Result<Self, String> {
        let text = match matcher {
            None | Some("" | "*") => return Ok(Self::Any),
            Some(text) => text,
        };
        if text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '|')) {
            return Ok(Self::Words(text.split('|').map(str::to_owned).collect()));
        }
        let patterns: Option<_> = text.split('|').map(Pattern::read).collect();
        patterns
            .map(Self::Pattern)
            .ok_or_else(|| format!("ScriptedCli cannot play the matcher {text:?}"))
    }

    pub(super) fn fits(&self, subject: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Words(words) => words.iter().any(|word| word == subject),
            Self::Pattern(patterns) => patterns.iter().any(|pattern| pattern.fits(subject)),
        }
    }
}

impl Pattern {
    fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('^').map_or((text, false), |rest| (rest, true));
        let (text, from_start) = text;
        let (text, to_end) = match text.strip_suffix('$') {
            Some(rest) if !rest.ends_with('\\') => (rest, true),
            _ => (text, false),
        };
        let mut chars = text.chars().peekable();
        let mut items = Vec::new();
        while let Some(c) = chars.next() {
            let one = match c {
                '.' => One::Any,
                '\\' => One::Char(chars.next().filter(|c| !c.is_alphanumeric())?),
                '[' => class(&mut chars)?,
                '(' | ')' | '{' | '}' | ']' | '*' | '+' | '?' | '^' | '$' => return None,
                c => One::Char(c),
            };
            let (min, max) = match chars.peek() {
                Some('*') => (0, usize::MAX),
                Some('+') => (1, usize::MAX),
                Some('?') => (0, 1),
                _ => (1, 1),
            };
            if (min, max) != (1, 1) {
                chars.next();
            }
            items.push(Item { one, min, max });
        }
        Some(Self { items, from_start, to_end })
    }

    fn fits(&self, subject: &str) -> bool {
        let chars: Vec<char> = subject.chars().collect();
        let last = if self.from_start { 0 } else { chars.len() };
        (0..=last).any(|start| self.fits_at(&self.items, &chars[start..]))
    }

    fn fits_at(&self, items: &[Item], rest: &[char]) -> bool {
        let Some((item, others)) = items.split_first() else {
            return !self.to_end || rest.is_empty();
        };
        let longest = rest.iter().take(item.max).take_while(|c| item.one.fits(**c)).count();
        (item.min..=longest).rev().any(|count| self.fits_at(others, &rest[count..]))
    }
}

impl One {
    fn fits(&self, c: char) -> bool {
        match self {
            Self::Any => true,
            Self::Char(only) => *only == c,
            Self::Class { ranges, is_negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&c)) != *is_negated
            }
        }
    }
}

/// The rest of a class behind its bracket.
fn class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<One> {
    let is_negated = chars.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    loop {
        match chars.next()? {
            ']' => return Some(One::Class { ranges, is_negated }),
            '\\' => return None,
            from if chars.next_if_eq(&'-').is_some() => {
                ranges.push((from, chars.next().filter(|to| *to != ']')?))
            }
            only => ranges.push((only, only)),
        }
    }
}
