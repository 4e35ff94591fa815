#![allow(clippy::unwrap_used, reason = "a test says by panicking that it failed")]

use quote::quote;

use super::form;

/// Whether the macro says that it is a form, or a choice of one.
fn is_one(item: &str) -> bool {
    let item = syn::parse_str(item).unwrap();
    !form(&item, &syn::parse2(quote!(toolwright)).unwrap()).is_empty()
}

#[test]
fn what_looks_as_its_type_may_be_a_form() {
    for item in [
        "struct A { b: String }",
        "#[serde(rename_all = \"camelCase\", deny_unknown_fields)] struct A { b: String }",
        "struct A { #[serde(default, rename = \"c\")] #[schemars(range(min = 1))] b: u8 }",
        "struct A { #[serde(skip)] b: Vec<A>, #[serde(skip_deserializing)] c: Vec<A> }",
        "#[cfg_attr(x, derive(Clone))] struct A { b: u8 }",
        "enum A { B, #[serde(alias = \"d\")] C }",
    ] {
        assert!(is_one(item), "{item}");
    }
}

#[test]
fn what_looks_otherwise_is_none() {
    for item in [
        "struct A(String);",
        "struct A<T> { b: T }",
        "enum A {}",
        "enum A { B(u8) }",
        "enum A { B {} }",
        "#[serde(from = \"B\")] struct A { b: u8 }",
        "#[serde(try_from = \"B\")] struct A { b: u8 }",
        "#[serde(into = \"B\")] struct A { b: u8 }",
        "#[serde(remote = \"B\")] struct A { b: u8 }",
        "#[serde(transparent)] struct A { b: u8 }",
        "#[serde(tag = \"c\")] struct A { b: u8 }",
        "#[serde(tag = \"t\", content = \"c\")] enum A { B }",
        "#[serde(content = \"c\")] enum A { B }",
        "#[serde(untagged)] enum A { B }",
        "enum A { #[serde(untagged)] B }",
        "struct A { #[serde(flatten)] b: String }",
        "struct A { #[serde(with = \"c\")] b: String }",
        "struct A { #[schemars(with = \"u8\")] b: String }",
        "struct A { #[serde(deserialize_with = \"c\")] b: String }",
        "struct A { #[schemars(schema_with = \"c\")] b: String }",
        "struct A { #[cfg(x)] b: String }",
        "enum A { #[cfg(x)] B, C }",
        "struct A { #[cfg_attr(x, serde(flatten))] b: String }",
        "struct A { #[cfg_attr(x, schemars(with = \"u8\"))] b: String }",
    ] {
        assert!(!is_one(item), "{item}");
    }
}

#[test]
fn only_what_is_decoded_is_a_field_of_the_form() {
    let fields = "#[serde(skip)] a: One, #[serde(skip_deserializing)] b: Two, c: Three";
    let item = syn::parse_str(&format!("struct A {{ {fields} }}")).unwrap();
    let form = form(&item, &syn::parse2(quote!(toolwright)).unwrap()).to_string();
    assert_eq!(["One", "Two", "Three"].map(|ty| form.contains(ty)), [false, false, true]);
}
