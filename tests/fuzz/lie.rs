//! Texts in which members lie: they are missing, null, of another type, huge, or there twice.

use serde_json::Value;

use crate::dice::Dice;

/// How long what is huge is, in bytes.
const HUGE: usize = 8 * 1024;

/// What stands in place of a value.
const WRONG: [&str; 16] = [
    "null",
    "true",
    "0",
    "-7",
    "1.5",
    "1e400",
    "340282366920938463463374607431768211456",
    "\"\"",
    "\"x\"",
    "\"\\ud800\"",
    "\"\\u0000\\u202e\"",
    "[]",
    "[null]",
    "{}",
    "{\"\":{\"type\":null}}",
    "[[{}]]",
];

/// What one place of a text says instead of the truth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Lie {
    Missing,
    Other(&'static str),
    /// A long text, a long number, a long list, a deep one.
    Huge(usize),
    /// The truth, then something else; or the other way round.
    Twice(&'static str, bool),
    /// The truth, with a key that is written with an escape.
    Escaped,
}

/// A JSON object that can be told with lies about each of its members and elements.
pub(crate) struct Truth {
    value: Value,
    places: Vec<String>,
}

impl Lie {
    /// A lie of each kind.
    fn all() -> Vec<Self> {
        let mut all = vec![Self::Missing, Self::Escaped, Self::Huge(0), Self::Huge(3)];
        all.extend(WRONG.map(Self::Other));
        for text in ["null", "7", "{}"] {
            all.extend([false, true].map(|first| Self::Twice(text, first)));
        }
        all
    }

    fn any(dice: &mut Dice) -> Self {
        let text = dice.pick(&WRONG);
        match dice.roll(8) {
            0 => Self::Missing,
            1 => Self::Escaped,
            2 => Self::Huge(dice.roll(4)),
            3 => Self::Twice(text, dice.one_in(2)),
            _ => Self::Other(text),
        }
    }
}

impl Truth {
    pub(crate) fn of(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap();
        let mut places = Vec::new();
        list(&value, "", &mut places);
        Self { value, places }
    }

    /// The paths of all members and elements, such as `params/arguments/0`.
    pub(crate) fn places(&self) -> &[String] {
        &self.places
    }

    pub(crate) fn told(&self, lies: &[(usize, Lie)]) -> String {
        let mut out = String::new();
        tell(&self.value, &mut 0, lies, &mut out);
        out
    }

    /// The truth with one to three lies.
    pub(crate) fn told_by(&self, dice: &mut Dice) -> String {
        let lies: Vec<_> =
            (0..1 + dice.roll(3)).map(|_| (dice.roll(self.places.len()), Lie::any(dice))).collect();
        self.told(&lies)
    }

    /// Each lie about each place, with the path of the place.
    pub(crate) fn lies(&self) -> impl Iterator<Item = (&str, String)> {
        let each = |at: usize| Lie::all().into_iter().map(move |lie| (at, lie));
        (0..self.places.len())
            .flat_map(each)
            .map(|(at, lie)| (&*self.places[at], self.told(&[(at, lie)])))
    }
}

fn list(value: &Value, path: &str, places: &mut Vec<String>) {
    let mut add = |name: &str, value: &Value| {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        places.push(path.clone());
        list(value, &path, places);
    };
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| add(&at.to_string(), item));
        }
        Value::Object(members) => members.iter().for_each(|(name, value)| add(name, value)),
        _ => {}
    }
}

/// How many places a value has inside.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| 1 + count(item)).sum(),
        Value::Object(members) => members.values().map(|value| 1 + count(value)).sum(),
        _ => 0,
    }
}

fn tell(value: &Value, at: &mut usize, lies: &[(usize, Lie)], out: &mut String) {
    let (open, close, items): (_, _, Vec<(Option<&str>, &Value)>) = match value {
        Value::Array(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| (Some(&**name), value));
            ('{', '}', members.collect())
        }
        _ => return *out += &value.to_string(),
    };
    out.push(open);
    for (name, value) in items {
        let lie = lies.iter().find(|(place, _)| place == at).map(|(_, lie)| lie);
        *at += 1;
        let after = *at + count(value);
        match lie {
            None => put(name, out, |out| tell(value, at, lies, out)),
            Some(Lie::Missing) => {}
            Some(Lie::Other(text)) => put(name, out, |out| *out += text),
            Some(Lie::Huge(kind)) => put(name, out, |out| *out += &huge(*kind)),
            Some(Lie::Twice(text, first)) => {
                if *first {
                    put(name, out, |out| *out += text);
                }
                put(name, out, |out| tell(value, at, lies, out));
                if !first {
                    put(name, out, |out| *out += text);
                }
            }
            Some(Lie::Escaped) => {
                let from = out.len();
                put(name, out, |out| tell(value, at, lies, out));
                if let Some(name) = name.filter(|name| name.starts_with(char::is_alphabetic)) {
                    let first = from + out[from..].find(name).unwrap();
                    out.replace_range(first..=first, &format!("\\u{:04x}", name.as_bytes()[0]));
                }
            }
        }
        *at = after;
    }
    out.push(close);
}

/// A member or an element, with the comma before it.
fn put(name: Option<&str>, out: &mut String, value: impl FnOnce(&mut String)) {
    if !out.ends_with(['{', '[']) {
        out.push(',');
    }
    if let Some(name) = name {
        *out += &format!("{}:", Value::from(name));
    }
    value(out);
}

fn huge(kind: usize) -> String {
    match kind {
        0 => format!("\"{}\"", "x".repeat(HUGE)),
        1 => "9".repeat(HUGE),
        2 => format!("[{}null]", "null,".repeat(HUGE / 5)),
        _ => format!("{}{}", "[".repeat(200), "]".repeat(200)),
    }
}

#[test]
fn a_lie_is_told_about_one_place() {
    let truth = Truth::of(r#"{"a":{"b":[1,"x"]},"c":null}"#);
    assert_eq!(truth.places(), ["a", "a/b", "a/b/0", "a/b/1", "c"]);
    assert_eq!(truth.told(&[]), r#"{"a":{"b":[1,"x"]},"c":null}"#);
    for (at, lie, told) in [
        (0, Lie::Missing, r#"{"c":null}"#),
        (1, Lie::Other("7"), r#"{"a":{"b":7},"c":null}"#),
        (2, Lie::Missing, r#"{"a":{"b":["x"]},"c":null}"#),
        (3, Lie::Twice("{}", true), r#"{"a":{"b":[1,{},"x"]},"c":null}"#),
        (4, Lie::Twice("7", false), r#"{"a":{"b":[1,"x"]},"c":null,"c":7}"#),
        (1, Lie::Escaped, r#"{"a":{"\u0062":[1,"x"]},"c":null}"#),
    ] {
        assert_eq!(truth.told(&[(at, lie)]), told);
    }
}
