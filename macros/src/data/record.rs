//! A struct that `#[data]` understands as a whole. For all others the derives do the work.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, Ident, Meta, Token, Type};

use crate::keys::literal_text;
use crate::lent::has_reference;

/// A struct with named fields.
pub(super) struct Record<'a> {
    pub(super) ident: &'a Ident,
    pub(super) doc: TokenStream,
    /// True if it refuses unknown fields.
    pub(super) is_closed: bool,
    pub(super) fields: Vec<Field<'a>>,
}

pub(super) struct Field<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    /// As clients see it.
    pub(super) name: String,
    pub(super) doc: TokenStream,
    pub(super) has_default: bool,
}

/// What the derives would read in the attributes of a struct or a field.
#[derive(Default)]
pub(super) struct Read {
    docs: Vec<TokenStream>,
    is_closed: bool,
    has_default: bool,
    pub(super) is_untagged: bool,
    rename: Option<String>,
}

impl<'a> Record<'a> {
    /// `None` if a part of it has another meaning for the derives, or may have.
    pub(super) fn of(item: &'a DeriveInput) -> Option<Self> {
        let Data::Struct(data) = &item.data else { return None };
        let Fields::Named(fields) = &data.fields else { return None };
        let generics = &item.generics;
        let mut read = Read::of(&item.attrs)?;
        let is_closed = std::mem::take(&mut read.is_closed);
        let docs = read.only_docs()?;
        let fields = fields.named.iter().map(|field| {
            let read = Read::of(&field.attrs).filter(|it| !it.is_closed && !it.is_untagged)?;
            let ident = field.ident.as_ref()?;
            // What is read must live as long; serde's derive says so in its bounds.
            if has_reference(field.ty.to_token_stream()) {
                return None;
            }
            Some(Field {
                ident,
                ty: &field.ty,
                name: read.rename.unwrap_or_else(|| ident.unraw().to_string()),
                doc: concat(&read.docs),
                has_default: read.has_default,
            })
        });
        let fields = fields.collect::<Option<_>>()?;
        let is_plain = generics.params.is_empty() && generics.where_clause.is_none();
        is_plain.then(|| Self { ident: &item.ident, doc: concat(&docs), is_closed, fields })
    }
}

impl Read {
    pub(super) fn of(attrs: &[Attribute]) -> Option<Self> {
        const IGNORED: [&str; 8] =
            ["allow", "deny", "derive", "expect", "forbid", "must_use", "non_exhaustive", "warn"];
        let mut read = Self::default();
        for attr in attrs {
            match &attr.meta {
                Meta::NameValue(doc) if doc.path.is_ident("doc") => {
                    read.docs.extend((!read.docs.is_empty()).then(|| quote!("\n")));
                    read.docs.push(line(&doc.value));
                }
                Meta::List(list) if list.path.is_ident("serde") => {
                    let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
                    list.parse_args_with(parse).ok()?.iter().try_for_each(|key| read.key(key))?;
                }
                meta if IGNORED.iter().any(|name| meta.path().is_ident(name)) => {}
                _ => return None,
            }
        }
        Some(read)
    }

    /// The lines of the documentation, if there is nothing else.
    pub(super) fn only_docs(self) -> Option<Vec<TokenStream>> {
        match self {
            Self {
                docs,
                is_closed: false,
                has_default: false,
                is_untagged: false,
                rename: None,
            } => Some(docs),
            _ => None,
        }
    }

    fn key(&mut self, key: &Meta) -> Option<()> {
        match key {
            Meta::Path(path) if path.is_ident("default") => self.has_default = true,
            Meta::Path(path) if path.is_ident("deny_unknown_fields") => self.is_closed = true,
            Meta::Path(path) if path.is_ident("untagged") => self.is_untagged = true,
            Meta::NameValue(pair) if pair.path.is_ident("rename") => {
                self.rename = Some(literal_text(&pair.value)?);
            }
            _ => return None,
        }
        Some(())
    }
}

/// A line of documentation, without the space before it.
fn line(value: &Expr) -> TokenStream {
    let text = literal_text(value);
    match text.as_deref().and_then(|text| text.strip_prefix(' ')) {
        Some(text) => text.to_token_stream(),
        None => value.to_token_stream(),
    }
}

pub(super) fn concat(lines: &[TokenStream]) -> TokenStream {
    match lines {
        [] => quote!(""),
        lines => quote!(::core::concat!(#(#lines),*)),
    }
}

#[cfg(test)]
mod tests;
