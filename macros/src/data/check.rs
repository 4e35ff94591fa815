//! The mistakes in a type under `#[data]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Meta, Path, PathSegment, Token, Type};

use crate::complaints::Complaints;
use crate::lent::is_named;

pub(super) const TYPE: &str = "#[data] stands on a struct or an enum";
const OWNED: &str = "a type under #[data] owns what it has: write `String` instead of `&str`, `Vec<T>` instead of `&[T]`";
const TWICE: &str = "`#[data]` is given twice";
const NO_ROOM: &str = "serde decodes no such value, as it has no room for the tag: add `content = \"value\"` beside `tag`, or give the variant fields with names";

/// Types whose values are neither structs nor maps.
const PLAIN: [&str; 18] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize", "String", "Vec",
];
/// Keys of serde by which a variant is read or written in another way, or not at all.
const OTHERWISE: [&str; 6] =
    ["deserialize_with", "serialize_with", "skip", "skip_deserializing", "untagged", "with"];

/// What `#[data]` derives.
const DERIVED: [&str; 3] = ["Serialize", "Deserialize", "JsonSchema"];

pub(super) fn check(item: &DeriveInput, complaints: &mut Complaints) {
    if let Data::Union(data) = &item.data {
        complaints.add(&data.union_token, TYPE);
    }
    if let Some(lifetime) = item.generics.lifetimes().next() {
        complaints.add(lifetime, OWNED);
    }
    if let Data::Enum(data) = &item.data
        && has_key(&item.attrs, &["tag"])
        && !has_key(&item.attrs, &["content"])
    {
        for variant in data.variants.iter().filter(|it| !has_key(&it.attrs, &OTHERWISE)) {
            if let Fields::Unnamed(fields) = &variant.fields {
                let plain = fields.unnamed.iter().filter(|field| is_plain(field));
                plain.for_each(|field| complaints.add(&field.ty, NO_ROOM));
            }
        }
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

/// True if serde or schemars is given one of these keys.
pub(super) fn has_key(attrs: &[Attribute], names: &[&str]) -> bool {
    attrs.iter().flat_map(keys).any(|key| names.iter().any(|name| key.path().is_ident(name)))
}

fn is_plain(field: &Field) -> bool {
    let is_plain = match &field.ty {
        Type::Array(_) => true,
        ty => PLAIN.iter().any(|name| is_named(ty, name)) && !is_elsewhere(ty),
    };
    is_plain && !has_key(&field.attrs, &OTHERWISE)
}

/// True if the path of a type begins with a module that is not the standard library's.
fn is_elsewhere(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return false };
    let first = ty.path.segments.first().filter(|_| ty.path.segments.len() > 1);
    first.is_some_and(|first| ["std", "core", "alloc"].iter().all(|name| first.ident != name))
}

/// The keys for serde and schemars. What cannot be read is an error of theirs.
fn keys(attr: &Attribute) -> Punctuated<Meta, Token![,]> {
    match attr.path().is_ident("serde") || attr.path().is_ident("schemars") {
        true => attr.parse_args_with(Punctuated::parse_terminated).unwrap_or_default(),
        false => Punctuated::new(),
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
