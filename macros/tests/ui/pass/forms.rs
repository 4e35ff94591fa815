//! Structs that are forms, and structs that are none and compile all the same.

use std::collections::BTreeMap;

use toolwright::{Form, data};

#[data]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[serde(rename_all = "lowercase")]
pub enum Speed {
    #[default]
    Slow,
    /// At once.
    #[serde(alias = "quick")]
    Fast,
    #[serde(other)]
    Any,
}

#[data]
#[derive(Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Everything {
    first_name: String,
    letter: Option<char>,
    is_gift: bool,
    small: u8,
    large: i64,
    #[schemars(range(min = 0.5))]
    ratio: f32,
    speed: Speed,
    speeds: Vec<Speed>,
    maybe: Option<Vec<Speed>>,
    #[serde(skip)]
    hidden: BTreeMap<String, u8>,
    #[deprecated]
    old: Option<String>,
    r#type: ::std::string::String,
    #[cfg_attr(all(), allow(dead_code))]
    word: String,
}

#[data]
pub struct Nothing {}

#[data]
pub struct Tree {
    name: String,
    children: Vec<Self>,
    next: Option<Box<Tree>>,
}

#[data]
pub struct Generic<T, const N: usize>
where
    T: Clone,
{
    items: Vec<T>,
}

#[data]
pub struct Conditional {
    #[cfg(any())]
    missing: Missing,
    name: String,
}

#[data]
pub enum Tagged {
    Unit,
    Tuple(u8, u8),
}

#[data]
#[serde(untagged)]
pub enum Untagged {
    Unit,
}

#[data]
pub struct Others {
    tagged: Tagged,
    untagged: Option<Untagged>,
    pair: (u8, String),
    array: [u8; 2],
    numbers: Vec<u8>,
}

fn is_form<T: Form>() -> bool {
    true
}

pub fn main() {
    #[data]
    struct Inside {
        speed: Speed,
    }

    assert!(is_form::<Everything>() && is_form::<Nothing>() && is_form::<Inside>());
}
