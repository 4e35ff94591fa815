use proc_macro2::Span;
use syn::Ident;

use super::{distance, nearest, unknown};
use crate::noun::Noun;

#[test]
fn a_misspelt_key_finds_what_was_meant() {
    for (written, meant) in [
        ("read_onyl", "read_only"),
        ("readonly", "read_only"),
        ("readOnly", "read_only"),
        ("read_only_hint", "read_only"),
        ("destructiveHint", "destructive"),
        ("desc", "description"),
        ("descripton", "description"),
        ("nmae", "name"),
        ("tile", "title"),
        ("tiemot", "timeout"),
        ("timeout_ms", "timeout"),
        ("icons", "icon"),
        ("crates", "crate"),
    ] {
        assert_eq!(nearest(written, Noun::Tool.keys()), Some(meant), "{written}");
    }
    assert_eq!(nearest("maximum", &["min", "max", "max_length"]), Some("max"));
    assert_eq!(nearest("maxLength", &["min", "max", "max_length"]), Some("max_length"));
}

#[test]
fn another_word_finds_nothing() {
    for written in
        ["x", "", "_", "blocking", "annotations", "input_schema", "t", "no", "in", "uint"]
    {
        assert_eq!(nearest(written, Noun::Tool.keys()), None, "{written}");
    }
}

#[test]
fn the_keys_are_listed_if_none_is_near() {
    let error = |key: &str| unknown(&Ident::new(key, Span::call_site()), "some", &["a", "size"]);
    assert_eq!(error("sise").to_string(), "`sise` is no key of #[some]: did you mean `size`?");
    assert_eq!(error("blue").to_string(), "`blue` is no key of #[some]: its keys are a, size");
}

#[test]
fn swapped_neighbours_are_one_mistake() {
    assert_eq!(distance("onyl", "only"), 1);
    assert_eq!(distance("", "only"), 4);
    assert_eq!(distance("name", "name"), 0);
    assert_eq!(distance("kitten", "sitting"), 3);
}
