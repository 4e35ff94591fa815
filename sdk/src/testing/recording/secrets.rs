//! Finds secrets in what is recorded.

use std::collections::BTreeSet;
use std::env;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use regex_lite::{Captures, Regex};
use serde_json::{Map, Value};

use crate::agent::transport::Launch;

/// What a recording has in place of a secret.
pub(in crate::testing) const REDACTED: &str = "[redacted]";

/// A shorter value of a variable is hardly a secret, but may be part of any text.
const SHORTEST: usize = 6;

/// The last words of names whose values are secrets.
const WORDS: [&str; 11] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "AUTH",
    "AUTHORIZATION",
    "COOKIE",
];

/// Words that are only a part of others that are no secrets, such as `COMPAT`.
const WHOLE_WORDS: [&str; 4] = ["DSN", "JWT", "PASS", "PAT"];

/// Secrets, with what stays in front of one and behind it as groups.
const PATTERNS: [&str; 4] = [
    r"sk-ant-[A-Za-z0-9_-]+",
    // To the end of the quotes that the header or its value is in, or to the end of the line.
    concat!(
        r#"(?i)("authorization\s*[:=]\s*|authorization["']?\]?\s*(?:=>|[:=])\s*")"#,
        r#"(?:\\.|[^\s"\\])(?:\\.|[^"\\\r\n])*"#,
        r#"|('authorization\s*[:=]\s*|authorization["']?\]?\s*(?:=>|[:=])\s*')[^\s'][^'\r\n]*"#,
        r#"|(authorization\s*(?:=>|[:=])\s*)[^\s"'\\][^\r\n]*"#,
        // Or to the next quote, as in the text of a JSON object within a text.
        r#"|(authorization\\*["']?\s*[:=]\s*\\*["']?)[^\s"'\\][^\r\n"'\\]*"#,
    ),
    r"(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{16,}",
    // Of a user in a URL, up to the last `@` in front of the path.
    r#"(?i)(\b[a-z][a-z0-9+.-]*://[^\s/:@"'\\]*:)[^\s/"'\\]+(@)"#,
];

/// What must not be in a recording.
pub(super) struct Secrets {
    found: BTreeSet<String>,
    /// What was found, and as it is in JSON. The longest first, as one may be a part of another.
    literals: Vec<String>,
    patterns: Vec<Regex>,
}

impl Secrets {
    /// The texts that were given, and the secrets of the CLI's environment and configurations.
    pub(super) fn new(given: Vec<String>, launch: &Launch) -> Self {
        let given = given.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        let mut found: BTreeSet<String> = given.map(str::to_owned).collect();
        let inherited = env::vars_os().filter(|_| !launch.env_clear);
        let set =
            launch.env.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
        for (name, value) in inherited.chain(set) {
            let value = value.to_string_lossy();
            // Programs trim it, such as a line end of the file that it was read from.
            let value = value.trim();
            if is_secret(&name.to_string_lossy(), value) {
                found.insert(value.to_owned());
            }
        }
        for arg in &launch.args {
            let arg = arg.to_string_lossy();
            let value = arg.split_once('=').map_or(&*arg, |(_, value)| value);
            if let Some(config) = configuration(value, launch.cwd.as_deref()) {
                learn(&config, None, &mut found);
            }
        }
        let patterns = PATTERNS.iter().filter_map(|pattern| Regex::new(pattern).ok()).collect();
        let mut secrets = Self { found, literals: Vec::new(), patterns };
        secrets.list();
        secrets
    }

    /// Adds the secrets of a configuration that came while the run goes on.
    pub(super) fn learn(&mut self, config: &Value) {
        let before = self.found.len();
        learn(config, None, &mut self.found);
        if self.found.len() > before {
            self.list();
        }
    }

    fn list(&mut self) {
        let escaped = |secret: &String| [escape(secret), escape(&escape(secret))];
        let escaped = self.found.iter().flat_map(escaped);
        let all: BTreeSet<String> = escaped.chain(self.found.iter().cloned()).collect();
        self.literals = all.into_iter().collect();
        self.literals.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    }

    /// An argument may be JSON, such as `--mcp-config={...}`.
    pub(super) fn redact_arg(&self, arg: &mut String) {
        let (flag, value) = arg.split_once('=').unwrap_or(("", arg));
        if let Some(mut config) = object(value) {
            let before = config.clone();
            self.redact(&mut config);
            if config != before {
                let equals = if flag.is_empty() { "" } else { "=" };
                *arg = format!("{flag}{equals}{config}");
            }
        } else {
            self.redact_text(arg);
        }
    }

    pub(super) fn redact(&self, value: &mut Value) {
        self.redact_below(value, None);
    }

    pub(super) fn redact_text(&self, text: &mut String) {
        for secret in &self.literals {
            if text.contains(secret) {
                *text = text.replace(secret, REDACTED);
            }
        }
        for pattern in &self.patterns {
            if pattern.is_match(text) {
                let redacted = |found: &Captures<'_>| {
                    let mut stays = found.iter().skip(1).flatten().map(|stays| stays.as_str());
                    let mut next = || stays.next().unwrap_or_default();
                    format!("{}{REDACTED}{}", next(), next())
                };
                *text = pattern.replace_all(text, redacted).into_owned();
            }
        }
    }

    /// `name` is that of the member whose value this is.
    fn redact_below(&self, value: &mut Value, name: Option<&str>) {
        match value {
            Value::String(text) => self.redact_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_below(item, None)),
            Value::Object(members) => {
                let keys = members.keys().any(|key| {
                    let mut redacted = key.clone();
                    self.redact_text(&mut redacted);
                    redacted != *key
                });
                if keys {
                    let all = std::mem::take(members).into_iter();
                    members.extend(all.map(|(mut key, value)| {
                        self.redact_text(&mut key);
                        (key, value)
                    }));
                }
                for (key, value) in members {
                    match value {
                        Value::String(text) if is_secret_member(name, key, text) => {
                            *text = REDACTED.into();
                        }
                        value => self.redact_below(value, Some(key)),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Adds the secrets of a configuration.
fn learn(value: &Value, name: Option<&str>, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| learn(item, None, found)),
        Value::Object(members) => members.iter().for_each(|(key, value)| match value {
            Value::String(text) => {
                let text = text.trim();
                if text.len() >= SHORTEST && is_secret_member(name, key, text) {
                    found.insert(text.to_owned());
                }
            }
            value => learn(value, Some(key), found),
        }),
        _ => {}
    }
}

/// Whether a member of an object is a secret; `parent` is the member that has the object.
fn is_secret_member(parent: Option<&str>, name: &str, value: &str) -> bool {
    let is_header = ["authorization", "proxy-authorization", "x-api-key"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known));
    is_header || matches!(parent, Some("env" | "headers")) && is_secret(name, value)
}

fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    value.len() >= SHORTEST
        && (WORDS.iter().any(|word| last.ends_with(word)) || WHOLE_WORDS.contains(&last))
}

/// The configuration that an argument is, or that is in the file which it names.
fn configuration(value: &str, folder: Option<&Path>) -> Option<Value> {
    object(value).or_else(|| {
        let file = folder.unwrap_or(Path::new("")).join(value);
        // What is read from another kind of file would be missing elsewhere.
        file.is_file().then(|| first_object(BufReader::new(File::open(file).ok()?))).flatten()
    })
}

/// The JSON object that a file is. No more of another file is read than shows that it is none, as
/// it may be a log of any length.
pub(super) fn first_object(mut file: impl BufRead) -> Option<Value> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    if file.fill_buf().ok()?.starts_with(MARK) {
        file.consume(MARK.len());
    }
    serde_json::from_reader::<_, Map<_, _>>(file).ok().map(Value::Object)
}

fn object(text: &str) -> Option<Value> {
    let text = text.trim_start_matches('\u{feff}');
    text.trim_start().starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// The text as it is in JSON, between the quotes.
fn escape(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}
