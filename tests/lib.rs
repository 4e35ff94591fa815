//! Black-box tests of the workspace, pages as tests, and the server that many of the
//! tests use.

#[path = "fixture/server.rs"]
pub mod fixture;

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
pub struct Readme;

#[doc = include_str!("../sdk/README.md")]
#[cfg(doctest)]
pub struct ReadmeOfTheLibrary;

#[doc = include_str!("../mcp-stdio/README.md")]
#[cfg(doctest)]
pub struct ReadmeOfTheServer;

#[doc = include_str!("../docs/FROM-OTHER-SDKS.md")]
#[cfg(doctest)]
pub struct FromOtherSdks;

#[doc = include_str!("../docs/FROM-RMCP.md")]
#[cfg(doctest)]
pub struct FromRmcp;

#[doc = include_str!("../docs/TESTING.md")]
#[cfg(doctest)]
pub struct Testing;

#[doc = include_str!("../docs/WATCHING.md")]
#[cfg(doctest)]
pub struct Watching;
