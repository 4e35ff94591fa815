//! Attributes of the compiler and of lints, on functions and parameters.

#![deny(warnings)]

use toolwright::{ToolRegistry, tool, tools};

#[must_use]
#[tool]
fn important() -> u8 {
    1
}

#[tool]
#[deprecated = "use `important`"]
async fn old(#[allow(unused_variables)] value: u8) {}

#[inline]
#[cold]
#[tool]
#[allow(clippy::needless_pass_by_value)]
fn rare(#[expect(unused_variables)] text: String, #[allow(unused_mut)] mut value: u8) -> u8 {
    value
}

#[tool]
fn linted(
    #[warn(unused_variables)] one: u8,
    #[deny(unused_variables)] two: u8,
    #[forbid(unused_variables)] three: u8,
    #[rustfmt::skip] four: u8,
) -> u8 {
    one + two + three + four
}

pub fn main() {
    ToolRegistry::builder("old").tools(tools![important, old, rare, linted]).build().unwrap();
    assert_eq!(important(), 1);
}
