//! Where descriptions come from.

use toolwright::{Context, data, json, tool};

use super::{description, listed, property};

/// Say hello.
///
/// What the greeting holds:  
///
/// - a word
///   - indented further
///
///     code
///
/// The end.   
#[tool]
async fn greet(
    /// Whom to greet.
    ///
    /// A name.
    name: String,
    #[doc = " In which language."] language: Option<String>,
    volume: u8,
) -> String {
    format!("{name} {language:?} {volume}")
}

#[test]
fn paragraphs_and_indentation_are_kept() {
    assert_eq!(
        description(greet::tool()),
        "Say hello.\n\nWhat the greeting holds:\n\n- a word\n  - indented further\n\n    code\n\nThe end."
    );
}

#[test]
fn docs_of_parameters_describe_their_properties() {
    assert_eq!(property(greet::tool(), "name")["description"], "Whom to greet.\n\nA name.");
    assert_eq!(property(greet::tool(), "language")["description"], "In which language.");
    assert!(property(greet::tool(), "volume").get("description").is_none());
}

/** One line. */
#[tool]
async fn block() {}

/**
 * Several lines.
 *
 *  - indented
 */
#[tool]
async fn starred() {}

#[doc = "A list:\n* one\n* two\n"]
#[tool]
async fn listing() {}

/** A list:
 * one
 */
#[tool]
async fn begun_at_once() {}

#[test]
fn a_list_keeps_its_stars() {
    assert_eq!(description(listing::tool()), "A list:\n* one\n* two");
}

#[test]
fn block_comments_lose_their_stars() {
    assert_eq!(description(begun_at_once::tool()), "A list:\none");
    assert_eq!(description(block::tool()), "One line.");
    assert_eq!(description(starred::tool()), "Several lines.\n\n - indented");
}

#[doc = include_str!("description.md")]
#[tool]
async fn from_file() {}

/// Before.
///
#[doc = include_str!("description.md")]
/// After.
#[tool]
async fn around_a_file(#[doc = include_str!("description.md")] value: u8) -> u8 {
    value
}

#[doc = concat!("One and ", "two.")]
#[tool]
async fn joined() {}

#[test]
fn docs_may_be_expressions() {
    assert_eq!(description(from_file::tool()), "From a file.\n\n  Indented.");
    assert_eq!(
        description(around_a_file::tool()),
        "Before.\n\nFrom a file.\n\n  Indented.\n\nAfter."
    );
    assert_eq!(
        property(around_a_file::tool(), "value")["description"],
        "From a file.\n\n  Indented."
    );
    assert_eq!(description(joined::tool()), "One and two.");
}

const TOLD: &str = "Told elsewhere.";

/// Not this.
#[tool(description = TOLD)]
async fn by_constant() {}

#[tool(description = concat!("Written ", "in place."))]
async fn by_expression() {}

#[tool]
async fn untold() {}

#[doc(hidden)]
#[doc(alias = "other")]
/// With other attributes.
#[inline]
#[tool]
#[allow(unused)]
async fn attributed() {}

#[test]
fn a_description_in_the_attribute_replaces_the_docs() {
    assert_eq!(description(by_constant::tool()), "Told elsewhere.");
    assert_eq!(description(by_expression::tool()), "Written in place.");
    assert_eq!(description(attributed::tool()), "With other attributes.");
    assert_eq!(listed(untold::tool()).get("description"), None);
}

/// A name and what
/// stands below it.
///
///  - Indented.
#[data]
struct Node {
    /// Letters and
    /// digits.
    r#type: String,
    below: Vec<(u8, Self)>,
}

#[tool]
fn count(node: Node) -> usize {
    node.r#type.len() + node.below.into_iter().map(|(_, node)| count(node)).sum::<usize>()
}

#[test]
fn a_record_has_docs_of_several_lines_raw_names_and_itself() {
    let schema = property(count::tool(), "node");
    let described = "A name and what\nstands below it.\n\n - Indented.";
    assert_eq!(schema["description"], described);
    assert_eq!(schema["properties"]["type"]["description"], "Letters and\ndigits.");
    let node = json!({"type": "ab", "below": [[1, {"type": "c", "below": []}]]});
    assert_eq!(super::text(count::tool(), json!({"node": node})), "3");
}

/// Of the type.
#[data]
struct Page {
    /// Of the field.
    size: u32,
}

#[tool]
async fn turn(
    first: Page,
    /// Of the parameter.
    second: &Page,
    _cx: &Context,
) -> u32 {
    first.size + second.size
}

#[test]
fn words_of_the_parameter_come_before_those_of_its_type() {
    assert_eq!(property(turn::tool(), "first")["description"], "Of the type.");
    assert_eq!(property(turn::tool(), "second")["description"], "Of the parameter.");
    assert_eq!(
        property(turn::tool(), "second")["properties"]["size"]["description"],
        "Of the field."
    );
    assert_eq!(
        super::text(turn::tool(), json!({"first": {"size": 1}, "second": {"size": 2}})),
        "3"
    );
}
