//! Durations as a model writes them: `1.5s`, `200ms`, `2m`, `1h30m`.
//!
//! The schema of [`std::time::Duration`] is an object of `secs` and `nanos`, as serde writes it;
//! that works, and models fill it in badly. [`Text`] is a duration that is one short text:
//!
//! ```
//! use toolwright::{ToolRegistry, duration, json, tool, tools};
//!
//! /// Wait.
//! #[tool(read_only)]
//! async fn wait(
//!     /// How long.
//!     time: duration::Text,
//!     /// And after that.
//!     more: Option<duration::Text>,
//! ) -> String {
//!     let more = more.map(|more| *more).unwrap_or_default();
//!     format!("waited {:?}", *time + more)
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = ToolRegistry::builder("clock").tools(tools![wait]).build()?;
//! let waited = registry.call("wait", json!({"time": "1.5s", "more": "2m"})).await?;
//! assert_eq!(waited.to_text(), "waited 121.5s");
//! # Ok(())
//! # }
//! ```
//!
//! A field can stay a `Duration`; the module then does the reading and writing:
//!
//! ```
//! use std::time::Duration;
//!
//! use toolwright::{data, duration};
//!
//! #[data]
//! struct Retry {
//!     #[serde(with = "toolwright::duration")]
//!     #[schemars(with = "duration::Text")]
//!     pause: Duration,
//! }
//!
//! let retry = Retry { pause: Duration::from_millis(5_400_250) };
//! assert_eq!(toolwright::json!(retry), toolwright::json!({"pause": "1h30m0.25s"}));
//! ```

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// A duration that is a text in JSON: numbers with the units `h`, `m`, `s`, `ms`, `us` and `ns`,
/// added up, without spaces. Displays as such a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Duration);

const EXPECTED: &str = "a duration such as `1.5s`, `200ms`, `2m` or `1h30m`";
/// The units with their nanoseconds. A unit stands before those that it begins with.
const UNITS: [(&str, u128); 6] = [
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
];

/// Writes a duration as text, for `#[serde(with = "toolwright::duration")]`.
///
/// # Errors
///
/// Those of the serialiser.
pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&Text(*duration))
}

/// Reads a duration from text, for `#[serde(with = "toolwright::duration")]`.
///
/// # Errors
///
/// The value is not a text of the form that [`Text`] has. A number has no unit, so it is refused.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    struct Reader;
    impl Visitor<'_> for Reader {
        type Value = Duration;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(EXPECTED)
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Duration, E> {
            parsed(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
        }
    }
    deserializer.deserialize_str(Reader)
}

#[inline]
fn parsed(text: &str) -> Option<Duration> {
    let (mut rest, mut nanos) = (text, 0u128);
    while !rest.is_empty() || text.is_empty() {
        let (whole, after) = digits(rest)?;
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after)?,
            None => ("", after),
        };
        let (unit, of_unit) = UNITS.into_iter().find(|(unit, _)| after.starts_with(unit))?;
        nanos = nanos.checked_add(whole.parse::<u128>().ok()?.checked_mul(of_unit)?)?;
        // What is less than a nanosecond is cut, so no unit needs more digits.
        let fraction = &fraction[..fraction.len().min(20)];
        let parts = fraction.bytes().fold(0, |parts, digit| 10 * parts + u128::from(digit - b'0'));
        nanos = nanos.checked_add(parts * of_unit / 10u128.pow(fraction.len() as u32))?;
        rest = &after[unit.len()..];
    }
    let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
    Some(Duration::new(seconds, (nanos % 1_000_000_000) as u32))
}

/// The digits at the start, at least one, and what follows.
#[inline]
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

impl Deref for Text {
    type Target = Duration;

    fn deref(&self) -> &Duration {
        &self.0
    }
}

impl From<Duration> for Text {
    fn from(duration: Duration) -> Self {
        Self(duration)
    }
}

impl From<Text> for Duration {
    fn from(text: Text) -> Self {
        text.0
    }
}

impl fmt::Display for Text {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, nanos) = (self.as_secs(), self.subsec_nanos());
        if seconds == 0 && nanos > 0 {
            return match nanos {
                nanos if nanos % 1_000_000 == 0 => write!(f, "{}ms", nanos / 1_000_000),
                nanos if nanos % 1_000 == 0 => write!(f, "{}us", nanos / 1_000),
                nanos => write!(f, "{nanos}ns"),
            };
        }
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if minutes > 0 {
            write!(f, "{minutes}m")?;
        }
        if nanos > 0 {
            let fraction = format!("{nanos:09}");
            write!(f, "{seconds}.{}s", fraction.trim_end_matches('0'))
        } else if seconds > 0 || self.is_zero() {
            write!(f, "{seconds}s")
        } else {
            Ok(())
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for Text {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    #[inline]
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^([0-9]+(\.[0-9]+)?(h|m|s|ms|us|ns))+$",
            "examples": ["1.5s", "200ms", "2m", "1h30m"],
        })
    }
}

#[cfg(test)]
mod tests;
