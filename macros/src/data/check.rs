//! The mistakes in a type under `#[data]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Path, PathSegment, Token};

use crate::complaints::Complaints;

pub(super) const TYPE: &str = "#[data] stands on a struct or an enum";
const OWNED: &str = "a type under #[data] owns what it has: write `String` instead of `&str`, `Vec<T>` instead of `&[T]`";
const TWICE: &str = "`#[data]` is given twice";

/// What `#[data]` derives.
const DERIVED: [&str; 3] = ["Serialize", "Deserialize", "JsonSchema"];

pub(super) fn check(item: &DeriveInput, complaints: &mut Complaints) {
    if let Data::Union(data) = &item.data {
        complaints.add(&data.union_token, TYPE);
    }
    if let Some(lifetime) = item.generics.lifetimes().next() {
        complaints.add(lifetime, OWNED);
    }
    for attr in &item.attrs {
        if attr.path().is_ident("data") {
            complaints.add(attr, TWICE);
        }
        for path in derives(attr).iter().filter(|path| is_derived(path)) {
            let name = path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            complaints.add(path, &format!("#[data] derives `{name}` already: remove it here"));
        }
    }
}

/// The paths in `#[derive(…)]`.
pub(super) fn derives(attr: &Attribute) -> Punctuated<Path, Token![,]> {
    match attr.path().is_ident("derive") {
        true => attr.parse_args_with(Punctuated::parse_terminated).unwrap_or_default(),
        false => Punctuated::new(),
    }
}

/// Other crates have derives of the same names, such as `rkyv::Serialize`.
pub(super) fn is_derived(path: &Path) -> bool {
    const CRATES: [&str; 3] = ["serde", "schemars", "toolwright"];
    let is_among = |names: &[&str], it: &PathSegment| names.iter().any(|name| it.ident == name);
    let segments = &path.segments;
    segments.last().is_some_and(|last| is_among(&DERIVED, last))
        && (segments.len() == 1 || segments.iter().any(|it| is_among(&CRATES, it)))
}
