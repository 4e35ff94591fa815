//! Documentation in all its forms.

use toolwright::{ToolRegistry, tool, tools};

/// One line.
#[tool]
async fn line() {}

/** A block
 * with stars. */
#[tool]
async fn block() {}

#[doc = concat!("Made ", "by a macro.")]
#[tool]
async fn made() {}

/// Before the attribute.
#[allow(clippy::unused_async)]
#[tool]
/// After it.
async fn around(
    /// What it is.
    ///
    /// With a paragraph.
    value: u8,
    #[doc = "In an attribute."] other: u8,
) -> u8 {
    value + other
}

pub fn main() {
    let registry =
        ToolRegistry::builder("docs").tools(tools![line, block, made, around]).build().unwrap();
    let description = |name| registry.get(name).unwrap().description().to_owned();
    assert_eq!(description("made"), "Made by a macro.");
    assert_eq!(description("around"), "Before the attribute.\nAfter it.");
}
