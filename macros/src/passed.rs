//! `#[serde(…)]` and `#[schemars(…)]` on a parameter. A type around the parameter's own passes them
//! to the two derives.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Meta, Path, Token};

use crate::complaints::combined;
use crate::data::path;

/// The attributes of a parameter that are passed on, and the type around it.
pub(crate) struct Passed<'a> {
    attrs: Vec<&'a Attribute>,
    pub(crate) name: Ident,
    /// What the call keeps of the parameter.
    ty: TokenStream,
}

impl<'a> Passed<'a> {
    pub(crate) fn new(attrs: &'a [Attribute], at: usize, ty: TokenStream) -> Option<Self> {
        let attrs: Vec<_> = attrs.iter().filter(|attr| is_passed(attr)).collect();
        let name = format_ident!("__Param{at}", span = Span::mixed_site());
        (!attrs.is_empty()).then_some(Self { attrs, name, ty })
    }

    /// The type around the parameter. Its schema is in place, as that of a field: a list of values
    /// in a definition would count as the names of an enum, which are no bound.
    pub(crate) fn definition(&self, krate: &Path) -> TokenStream {
        let Self { attrs, name, ty } = self;
        let (use_serde, serde) = path(krate, "serde", name);
        let (use_schemars, schemars) = path(krate, "schemars", name);
        quote! {
            #use_serde
            #use_schemars
            #[derive(#krate::__private::serde::Deserialize, #krate::__private::schemars::JsonSchema)]
            #[serde(crate = #serde, transparent)]
            #[schemars(crate = #schemars, inline, transparent)]
            struct #name(#(#attrs)* #ty);
        }
    }
}

pub(crate) fn is_passed(attr: &Attribute) -> bool {
    ["serde", "schemars"].iter().any(|known| attr.path().is_ident(known))
}

/// What an argument cannot have of these attributes.
pub(crate) fn check(attr: &Attribute) -> Option<Error> {
    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
    // The derives report what is no list.
    let keys = attr.parse_args_with(parse).ok()?;
    let mistakes = keys.iter().filter_map(|key| {
        let name = key.path().get_ident()?.to_string();
        let instead = match name.as_str() {
            "default" => "write `#[arg(default = …)]`",
            "rename" => "write `#[arg(rename = \"…\")]`",
            "alias" | "flatten" => {
                "take `Args<T>`, and put it on a field of `T`: an argument has one name"
            }
            "skip" | "skip_deserializing" => {
                "a value that no client gives is no argument: take `Context` or `State<T>`"
            }
            _ => return None,
        };
        Some(Error::new_spanned(key, format!("`{name}` is not for a parameter: {instead}")))
    });
    combined(mistakes)
}
