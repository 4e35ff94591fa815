//! Reads what the CLI writes. Another version may write it otherwise, so a member that is missing
//! or of the wrong type costs that member only, and what is unknown stays available as text.

mod field;
mod held;
mod object;
mod raw;
mod record;
mod string;
mod tagged;
mod text;
mod word;

pub(in crate::agent) use field::{Field, Taken, read, take_with};
pub(in crate::agent) use held::check;
pub(in crate::agent) use object::{Object, write_json};
pub use raw::RawJson;
pub(in crate::agent) use raw::object;
pub(in crate::agent) use record::{
    Record, kept, members, name, read_record, record, take_record, taker,
};
pub(in crate::agent) use tagged::{tag, tagged, variant};
pub(in crate::agent) use text::{Part, Text};
pub(in crate::agent) use word::{start, words};

#[cfg(test)]
mod tests;
