//! `Form` for a struct, if its fields are those of a form, and `Choice` for an enum of names.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Path};

use super::check::has_key;

/// Keys of serde and schemars by which a value looks unlike its type.
const OTHERWISE: [&str; 12] = [
    "content",
    "deserialize_with",
    "flatten",
    "from",
    "into",
    "remote",
    "schema_with",
    "tag",
    "transparent",
    "try_from",
    "untagged",
    "with",
];

/// Whether it is true shows where somebody asks for the form: bounds with `for` may be false.
pub(super) fn form(item: &DeriveInput, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let ident = &item.ident;
    let is_plain = item.generics.params.is_empty() && item.generics.where_clause.is_none();
    if !is_plain || !is_as_its_type(&item.attrs) {
        return TokenStream::new();
    }
    match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) if fields.named.iter().all(|it| is_as_its_type(&it.attrs)) => {
                let mut known = HashSet::new();
                let asked = fields.named.iter().filter(|field| !is_left_out(field));
                let bounds = asked.map(|field| &field.ty).filter_map(|ty| {
                    let is_new = known.insert(ty.to_token_stream().to_string());
                    is_new.then(|| located(quote!(for<'a> #ty: #private::FormField<'a>), ty.span()))
                });
                quote! {
                    #[automatically_derived]
                    #[allow(deprecated)]
                    impl #private::Form for #ident
                    where
                        for<'a> #ident: #private::Answer<'a>,
                        #(#bounds),*
                    {}
                }
            }
            _ => TokenStream::new(),
        },
        Data::Enum(data) => {
            let mut variants = data.variants.iter();
            let are_names =
                variants.all(|it| matches!(it.fields, Fields::Unit) && is_as_its_type(&it.attrs));
            match are_names && !data.variants.is_empty() {
                true => quote! {
                    #[automatically_derived]
                    impl #private::Choice for #ident {}
                },
                false => TokenStream::new(),
            }
        }
        Data::Union(_) => TokenStream::new(),
    }
}

/// The compiler shows the field that is wrong.
fn located(tokens: TokenStream, place: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(token.span().located_at(place));
        token
    });
    tokens.collect()
}

/// False for what a condition decides, as it is not known here.
fn is_as_its_type(attrs: &[Attribute]) -> bool {
    attrs.iter().all(|attr| match attr.path().get_ident() {
        Some(name) if name == "cfg" => false,
        Some(name) if name == "cfg_attr" => {
            let text = attr.meta.to_token_stream().to_string();
            !text.contains("serde") && !text.contains("schemars")
        }
        _ => !has_key(std::slice::from_ref(attr), &OTHERWISE),
    })
}

/// True for a field that serde does not decode.
fn is_left_out(field: &Field) -> bool {
    has_key(&field.attrs, &["skip", "skip_deserializing"])
}

#[cfg(test)]
mod tests;
