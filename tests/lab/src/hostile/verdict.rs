use std::fmt;

use serde_json::Value;

/// What a server made of a case.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Right(String),
    /// It says something else.
    Wrong(String),
    /// It must answer and does not, but answers the plain call that follows.
    Silent,
    /// It does not answer the plain call either.
    Stuck,
    /// It closes the connection without an answer.
    Closed,
    /// Its process has ended.
    Died,
    /// It has so many MiB more than before.
    Grew(u64),
}

impl Verdict {
    /// The verdict of what was said.
    pub fn of(said: String, right: &[&str]) -> Self {
        match (right.contains(&&*said), &*said) {
            (true, _) => Self::Right(said),
            (false, "nothing") => Self::Silent,
            (false, _) => Self::Wrong(said),
        }
    }

    /// One word for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Right(_) => "ok",
            Self::Wrong(_) => "wrong",
            Self::Silent => "no answer",
            Self::Stuck => "stuck",
            Self::Closed => "closed",
            Self::Died => "died",
            Self::Grew(_) => "grew",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Right(_) => f.write_str("ok"),
            Self::Wrong(said) => f.write_str(said),
            Self::Grew(more) => write!(f, "grew by {more} MiB"),
            other => f.write_str(other.word()),
        }
    }
}

/// A message in a few words.
pub fn words(message: &Value) -> String {
    match message {
        Value::Array(answers) => return format!("array of {}", answers.len()),
        Value::Null => return "unreadable".to_owned(),
        _ => {}
    }
    let id = match message.get("id") {
        Some(Value::Null) => ", id null",
        Some(_) => "",
        None => ", no id",
    };
    match message.get("error") {
        Some(error) => format!("error {}{id}", error["code"]),
        None if message["result"]["isError"] == true => format!("error result{id}"),
        None => format!("result{id}"),
    }
}

/// All that was said.
pub fn all(said: &[Value]) -> String {
    let mut all: Vec<String> = said.iter().map(words).collect();
    all.sort();
    match &*all {
        [] => "nothing".to_owned(),
        many if many.len() > 9 && many.iter().all(|words| words == "result") => {
            format!("{} results", many.len())
        }
        many => many.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Verdict, all};

    #[test]
    fn what_is_said_is_judged() {
        assert_eq!(all(&[]), "nothing");
        let both = [json!({"id": 1, "result": {}}), json!({"error": {"code": -1}})];
        assert_eq!(all(&both), "error -1, no id, result");
        let right = &["result", "error -1"];
        assert_eq!(Verdict::of("result".into(), right), Verdict::Right("result".into()));
        assert_eq!(Verdict::of("nothing".into(), right), Verdict::Silent);
        assert_eq!(Verdict::of("error -2".into(), right), Verdict::Wrong("error -2".into()));
    }
}
