use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// What a server says in a line or a body.
pub(crate) enum Said {
    Message(Message),
    Batch(Vec<Message>),
    Unreadable,
}

#[derive(Deserialize)]
pub(crate) struct Message {
    /// As it is written, `null` too: a `Value` would round long numbers.
    #[serde(default, deserialize_with = "written")]
    id: Option<Box<RawValue>>,
    method: Option<IgnoredAny>,
    result: Option<Value>,
    error: Option<Map<String, Value>>,
}

fn written<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(from).map(Some)
}

impl Said {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let said = match bytes.trim_ascii_start().starts_with(b"[") {
            true => serde_json::from_slice(bytes).map(Self::Batch),
            false => serde_json::from_slice(bytes).map(Self::Message),
        };
        said.unwrap_or(Self::Unreadable)
    }

    /// This is the answer with that id.
    pub(crate) fn answers(&self, id: &str) -> bool {
        let Self::Message(message) = self else { return false };
        message.id.as_ref().is_some_and(|own| own.get() == id)
    }

    pub(crate) fn is_result(&self) -> bool {
        matches!(self, Self::Message(message) if message.result.is_some())
    }

    /// Its result is that of a call, and begins with this text.
    pub(crate) fn begins_with(&self, text: &str) -> bool {
        let Self::Message(Message { result: Some(result), .. }) = self else { return false };
        result["content"][0]["text"].as_str().is_some_and(|own| own.starts_with(text))
    }

    /// A notification or a request of the server, which answers nothing.
    pub(crate) fn is_unasked(&self) -> bool {
        matches!(self, Self::Message(message) if message.method.is_some())
    }
}

/// All that was said to requests with these ids, in a few words. An answer takes its id, so a
/// second one has another.
pub(crate) fn words(said: &[Said], ids: &[String]) -> String {
    let mut ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut all: Vec<_> = said
        .iter()
        .filter(|said| !said.is_unasked())
        .map(|said| match said {
            Said::Message(message) => message.words(&mut ids),
            Said::Batch(messages) => {
                let mut all: Vec<_> = messages.iter().map(|it| it.words(&mut ids)).collect();
                all.sort();
                format!("[{}]", all.join(", "))
            }
            Said::Unreadable => "unreadable".to_owned(),
        })
        .collect();
    all.sort();
    if all.is_empty() {
        return "nothing".to_owned();
    }
    let few = |same: &[String]| match same.len() {
        10.. => format!("{} times {}", same.len(), same[0]),
        _ => same.join(", "),
    };
    all.chunk_by(|one, other| one == other).map(few).collect::<Vec<_>>().join(", ")
}

impl Message {
    fn words(&self, ids: &mut Vec<&str>) -> String {
        let id = self.id_words(ids);
        match (&self.error, &self.result) {
            (Some(error), _) => format!("error {}{id}", error.get("code").unwrap_or(&Value::Null)),
            (None, Some(result)) if result["isError"] == true => format!("error result{id}"),
            (None, Some(_)) => format!("result{id}"),
            (None, None) => format!("neither result nor error{id}"),
        }
    }

    fn id_words(&self, ids: &mut Vec<&str>) -> &'static str {
        let id = match self.id.as_ref().map(|id| id.get()) {
            None => return ", no id",
            Some("null") => return ", id null",
            Some(id) => id,
        };
        let equal = ids.iter().position(|own| *own == id);
        match equal.or_else(|| ids.iter().position(|own| is_same(own, id))) {
            None => ", another id",
            Some(at) => match ids.remove(at) == id {
                true => "",
                false => ", the id written anew",
            },
        }
    }
}

/// Whether two ids are the same value, however they are written.
fn is_same(one: &str, other: &str) -> bool {
    let text = |id| serde_json::from_str::<String>(id).ok();
    match (text(one), text(other)) {
        (None, None) => number(one) == number(other),
        (one, other) => one == other,
    }
}

/// The sign, the digits without zeros around them, and the power of ten.
fn number(text: &str) -> Option<(bool, String, i64)> {
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (digits, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digits = format!("{whole}{part}");
    let power = power.parse::<i64>().ok()?.checked_sub(part.len() as i64)?;
    let significant = digits.trim_end_matches('0');
    let power = power.checked_add((digits.len() - significant.len()) as i64)?;
    match significant.trim_start_matches('0') {
        "" => Some((false, String::new(), 0)),
        significant => Some((is_negative, significant.to_owned(), power)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Said, words};

    fn said(lines: &[&str], ids: &[&str]) -> String {
        let lines: Vec<_> = lines.iter().map(|line| Said::of(line.as_bytes())).collect();
        words(&lines, &ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn all_that_is_said_is_in_the_words() {
        assert_eq!(said(&[], &["1"]), "nothing");
        let error = r#"{"error":{"code":-1}}"#;
        let result = r#"{"id":1,"result":{}}"#;
        assert_eq!(said(&[result, error], &["1"]), "error -1, no id, result");
        assert_eq!(said(&[result, result], &["1"]), "result, result, another id");
        assert_eq!(said(&[result, result], &["1", "1"]), "result, result");
        assert_eq!(
            said(&[r#"{"id":null,"result":{"isError":true}}"#], &[]),
            "error result, id null"
        );
        assert_eq!(said(&[r#"{"id":1,"method":"x"}"#], &[]), "nothing");
        assert_eq!(said(&[r#"{"id":1}"#, "x"], &["1"]), "neither result nor error, unreadable");
        let batch = format!("[{error},{result}]");
        assert_eq!(said(&[&batch], &["1"]), "[error -1, no id, result]");
    }

    #[test]
    fn an_id_is_compared_by_what_is_written_and_then_by_its_value() {
        let of = |id: &str, own: &str| said(&[&format!(r#"{{"id":{id},"result":{{}}}}"#)], &[own]);
        for id in ["1", "-7", "1.0", "\"\"", "9007199254740993", "12345678901234567890123"] {
            assert_eq!(of(id, id), "result");
        }
        for (id, own) in
            [("1", "1.0"), ("10", "1e1"), ("-0", "0"), ("1.5E-1", "0.15"), (r#""\u0061""#, "\"a\"")]
        {
            assert_eq!(of(id, own), "result, the id written anew", "{id} for {own}");
        }
        for (id, own) in [
            ("9007199254740992", "9007199254740993"),
            ("12345678901234567890124", "12345678901234567890123"),
            ("1.2345678901234568e22", "12345678901234567890123"),
            ("7", "-7"),
            ("\"1\"", "1"),
            ("true", "1"),
            ("1", "2"),
        ] {
            assert_eq!(of(id, own), "result, another id", "{id} for {own}");
        }
    }
}
