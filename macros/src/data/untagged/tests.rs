use super::Untagged;

/// `None` if the text is no item.
fn is_understood(item: &str) -> Option<bool> {
    syn::parse_str(item).map(|item| Untagged::of(&item).is_some()).ok()
}

#[test]
fn plain_enums_without_a_tag_are_understood() {
    for item in [
        "#[serde(untagged)] enum A { B(u8) }",
        "/** Doc. */ #[derive(Clone)] #[serde(untagged)] pub enum A { /** Doc. */ B(u8), C(D) }",
    ] {
        assert_eq!(is_understood(item), Some(true), "{item}");
    }
}

#[test]
fn all_else_is_left_to_the_derives() {
    for item in [
        "enum A { B(u8) }",
        "#[serde(untagged)] enum A {}",
        "#[serde(untagged)] enum A { B }",
        "#[serde(untagged)] enum A { B { c: u8 } }",
        "#[serde(untagged)] enum A { B(u8, u8) }",
        "#[serde(untagged)] enum A { B() }",
        "#[serde(untagged)] enum A { B(&'static str) }",
        "#[serde(untagged)] enum A<T> { B(T) }",
        "#[serde(untagged)] enum A { B(#[serde(with = \"c\")] u8) }",
        "#[serde(untagged)] enum A { #[serde(skip)] B(u8) }",
        "#[serde(untagged)] enum A { #[serde(rename = \"C\")] B(u8) }",
        "#[serde(untagged)] enum A { #[schemars(range(max = 9))] B(u8) }",
        "#[serde(untagged, deny_unknown_fields)] enum A { B(u8) }",
        "#[serde(untagged, rename = \"C\")] enum A { B(u8) }",
        "#[serde(untagged, expecting = \"a B\")] enum A { B(u8) }",
        "#[serde(untagged)] #[schemars(inline)] enum A { B(u8) }",
        "#[serde(untagged)] struct A(u8);",
    ] {
        assert_eq!(is_understood(item), Some(false), "{item}");
    }
}
