//! Reads what the CLI writes. Another version may write it otherwise, so a member that is missing
//! or of the wrong type costs that member only, and what is unknown stays available as text.

mod cursor;
mod field;
mod held;
mod millis;
mod object;
mod raw;
mod record;
mod string;
mod tagged;
mod text;
mod word;

pub(in crate::agent) use cursor::Cursor;
pub(in crate::agent) use field::Field;
pub(in crate::agent) use held::check;
pub(in crate::agent) use millis::millis;
pub(in crate::agent) use object::{Object, write_json};
pub use raw::RawJson;
#[cfg(feature = "testing")]
pub(crate) use raw::decode_line;
pub(in crate::agent) use raw::{object, serialize};
pub(in crate::agent) use record::{Record, kept, members, named, read, reader, record};
pub(in crate::agent) use string::lossy;
pub(in crate::agent) use tagged::{tagged, variant};
pub(in crate::agent) use text::Text;
pub(in crate::agent) use word::{start, words};

#[cfg(test)]
mod tests;
