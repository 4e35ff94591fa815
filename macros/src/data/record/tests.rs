use super::Record;

/// `None` if the text is no item.
fn is_understood(item: &str) -> Option<bool> {
    syn::parse_str(item).map(|item| Record::of(&item).is_some()).ok()
}

#[test]
fn plain_structs_are_understood() {
    for item in [
        "struct A {}",
        "/** Doc. */ #[derive(Clone)] #[serde(deny_unknown_fields)] pub struct A { pub b: u8 }",
        "#[allow(x)] #[deny(x)] #[expect(x)] #[forbid(x)] #[warn(x)] struct A { b: u8 }",
        "#[must_use] #[non_exhaustive] struct A { b: u8 }",
        "struct A { /** Doc. */ #[serde(default, rename = \"c\")] b: Vec<u8>, #[allow(x)] d: u8 }",
    ] {
        assert_eq!(is_understood(item), Some(true), "{item}");
    }
}

#[test]
fn all_else_is_left_to_the_derives() {
    for item in [
        "struct A;",
        "struct A(u8);",
        "enum A { B }",
        "struct A<T> { b: T }",
        "struct A { b: &'static str }",
        "struct A<const N: usize> { b: [u8; N] }",
        "struct A where u8: Copy { b: u8 }",
        "#[serde(default)] struct A { b: u8 }",
        "#[serde(transparent)] struct A { b: u8 }",
        "#[serde(rename = \"B\")] struct A { b: u8 }",
        "#[schemars(inline)] struct A { b: u8 }",
        "#[deprecated] struct A { b: u8 }",
        "#[other] struct A { b: u8 }",
        "#[cfg_attr(x, serde(default))] struct A { b: u8 }",
        "struct A { #[cfg(x)] b: u8 }",
        "struct A { #[schemars(range(max = 9))] b: u8 }",
        "struct A { #[serde(default = \"c\")] b: u8 }",
        "struct A { #[serde(flatten)] b: u8 }",
        "struct A { #[serde(skip)] b: u8 }",
        "struct A { #[serde(rename(serialize = \"c\"))] b: u8 }",
        "struct A { #[serde(deny_unknown_fields)] b: u8 }",
        "struct A { #[serde] b: u8 }",
    ] {
        assert_eq!(is_understood(item), Some(false), "{item}");
    }
}
