//! `#[data]`: the three derives, with the paths of the crates that toolwright re-exports.

mod check;
mod stub;
mod record;
mod untagged;
mod schema;
mod decode;
mod form;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{DeriveInput, Error, Ident, Path, Result, parse_quote};

use crate::complaints::Complaints;
use crate::keys;
use crate::nearest::{nearest, unknown};
use crate::renamed::renamed;
use check::{TYPE, check};
use decode::decode;
use form::form;
use record::Record;
use schema::{of_untagged, schema};
use stub::stub;
use untagged::Untagged;

const SERDE: &str = "its only key is `crate`; those of serde stand beside it in `#[serde(…)]`";

/// `#[data]`.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut complaints = Complaints::default();
    let krate = krate.parse2(args).unwrap_or_else(|error| {
        complaints.push(error);
        None
    });
    let krate = krate.unwrap_or_else(|| match renamed("data") {
        Some((path, error)) => {
            complaints.push(error);
            path
        }
        None => parse_quote!(::toolwright),
    });
    let parsed = match syn::parse2::<DeriveInput>(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => {
            complaints.push(Error::new(error.span(), TYPE));
            let error = complaints.all.map(Error::into_compile_error);
            return quote!(#item #error);
        }
    };
    check(&parsed, &mut complaints);
    if let Some(error) = complaints.all {
        let (item, error) = (stub(parsed, &krate), error.into_compile_error());
        return quote!(#item #error);
    }
    let ident = &parsed.ident;
    let (use_serde, serde) = path(&krate, "serde", ident);
    let private = quote!(#krate::__private);
    let decodes = quote!(#[derive(#private::serde::Serialize, #private::serde::Deserialize)]);
    let (implementations, derives) = if let Some(record) = Record::of(&parsed) {
        let (schema, decode) = (schema(&record, &krate), decode(&record, &krate));
        (quote!(#schema #decode), quote!(#[derive(#private::serde::Serialize)]))
    } else if let Some(untagged) = Untagged::of(&parsed) {
        (of_untagged(&untagged, &krate), decodes)
    } else {
        let (use_schemars, schemars) = path(&krate, "schemars", ident);
        let schema = quote!(#[derive(#private::schemars::JsonSchema)]);
        (use_schemars, quote!(#decodes #schema #[schemars(crate = #schemars)]))
    };
    let form = form(&parsed, &krate);
    // The implementation stands first, for the error about a field that has no schema says most.
    quote! {
        #use_serde
        #implementations
        #derives
        #[serde(crate = #serde)]
        #item
        #form
    }
}

/// The path in `crate = path`.
fn krate(input: ParseStream<'_>) -> Result<Option<Path>> {
    if input.is_empty() {
        return Ok(None);
    }
    let key = input.call(Ident::parse_any)?;
    if key != "crate" {
        return Err(match nearest(&key.to_string(), &["crate"]) {
            Some(_) => unknown(&key, "data", &["crate"]),
            None => Error::new(key.span(), format!("`{key}` is no key of #[data]: {SERDE}")),
        });
    }
    keys::krate(&key, input).map(Some)
}

/// The path of a crate that toolwright re-exports, for an attribute of what is called `user`, with
/// the item that it needs. An attribute has the path as text, in which `$crate` means nothing.
pub(crate) fn path(krate: &Path, inner: &str, user: &Ident) -> (TokenStream, String) {
    let inner = quote::format_ident!("{inner}");
    let path = quote!(#krate::__private::#inner);
    let text = path.to_string().replace(' ', "");
    if !text.starts_with("$crate") {
        return (TokenStream::new(), text);
    }
    let alias = quote::format_ident!("__{inner}_of_{user}");
    (quote!(use #path as #alias;), alias.to_string())
}
