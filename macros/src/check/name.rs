//! The name of a function that becomes a tool.

use syn::Error;
use syn::ext::IdentExt;

use crate::args::ToolArgs;
use crate::complaints::Complaints;
use crate::item::Item;
use crate::noun::Noun;

const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

const NAME: &str = "a tool's name has 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`";
const PROMPT: &str = "a prompt's name has 1 to 128 characters of A-Z, a-z, 0-9, `_` and `-`";
const PREFIX: &str = ": the block's prefix is a part of it";
const RENAME: &str = ": give this one another by `#[tool(name = \"…\")]`";

/// True if the type that stands beside the function would hide one that every module uses.
pub(super) fn hides_primitive(item: &Item) -> bool {
    PRIMITIVES.iter().any(|name| item.sig.ident == name)
}

pub(super) fn hidden_primitive(item: &Item, noun: Noun) -> Error {
    let ident = &item.sig.ident;
    let error = format!(
        "the tool's type would hide the type `{ident}`: give the function another name and say \
         `#[tool(name = \"{ident}\")]`"
    );
    Error::new(ident.span(), noun.said(&error))
}

pub(super) fn check_name(args: &ToolArgs, item: &Item, complaints: &mut Complaints) {
    let ident = &item.sig.ident;
    let (name, span) = match &args.name {
        Some(name) => (name.value(), name.span()),
        None => (ident.unraw().to_string(), ident.span()),
    };
    let (message, signs) = match args.noun {
        Noun::Tool => (NAME, "_-."),
        Noun::Prompt => (PROMPT, "_-"),
        Noun::Resource => return,
    };
    let has_only =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c));
    if !(1..=128).contains(&(args.prefix.len() + name.len()))
        || !has_only(&args.prefix)
        || !has_only(&name)
    {
        let hint = match args.name {
            _ if !has_only(&args.prefix) => PREFIX,
            None => RENAME,
            Some(_) => "",
        };
        complaints.push(Error::new(span, args.noun.said(&format!("{message}{hint}"))));
    }
}
