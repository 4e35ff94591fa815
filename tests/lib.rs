//! Black-box tests of the workspace, and the README as a test.

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
pub struct Readme;
