//! Black-box tests of the workspace, the README as a test, and the server that many of the tests
//! use.

#[path = "fixture/server.rs"]
pub mod fixture;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
pub struct Readme;
