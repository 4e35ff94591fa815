//! Forms by derived schemas and by hand.

mod answers;
mod by_hand;
mod random;
mod written;

use serde_json::Value;
use toolwright::{Form, data};

use super::{accepted, requested};
use crate::judge::{Kind, assert_valid};
use crate::mcp::protocol::Revision;

/// The revisions that have forms.
const REVISIONS: [Revision; 3] =
    [Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28];

#[data]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
enum Color {
    /// Like the sky.
    ///
    /// On a good day.
    Blue,
    DarkGreen,
    /// # Red!
    Red,
}

#[data]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plain {
    One,
    Two,
}

/// What a client of this revision gets.
fn form<T: Form>(revision: Revision, default: Option<&Value>) -> Value {
    let profile = revision.profile();
    let form = serde_json::from_str(&requested::<T>(profile, default)).unwrap();
    assert_valid(profile.version, Kind::Form, &form);
    form
}

/// The same in the newest revision. The schema of a form is valid in all of them.
fn newest<T: Form>() -> Value {
    REVISIONS.map(|revision| form::<T>(revision, None))[2].clone()
}

/// What is wrong with an answer.
fn problem<T: Form>(content: &str) -> String {
    accepted::<T>(Some(content)).map(|_| ()).expect_err(content)
}
