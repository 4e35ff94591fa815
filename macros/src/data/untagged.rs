//! An enum without a tag whose schema `#[data]` makes itself.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Ident, Type};

use super::record::{Read, concat};
use crate::lent::has_reference;

/// An enum with one value in each variant.
pub(super) struct Untagged<'a> {
    pub(super) ident: &'a Ident,
    pub(super) doc: TokenStream,
    pub(super) variants: Vec<Variant<'a>>,
}

pub(super) struct Variant<'a> {
    pub(super) name: String,
    pub(super) doc: TokenStream,
    pub(super) ty: &'a Type,
}

impl<'a> Untagged<'a> {
    /// `None` if a part of it has another meaning for the derives, or may have.
    pub(super) fn of(item: &'a DeriveInput) -> Option<Self> {
        let Data::Enum(data) = &item.data else { return None };
        let mut read = Read::of(&item.attrs)?;
        if !std::mem::take(&mut read.is_untagged) {
            return None;
        }
        let doc = concat(&read.only_docs()?);
        let mut variants = Vec::new();
        for variant in &data.variants {
            let Fields::Unnamed(fields) = &variant.fields else { return None };
            let field = fields.unnamed.first()?;
            let is_plain = fields.unnamed.len() == 1 && field.attrs.is_empty();
            if !is_plain || has_reference(field.ty.to_token_stream()) {
                return None;
            }
            let doc = concat(&Read::of(&variant.attrs)?.only_docs()?);
            variants.push(Variant { name: variant.ident.unraw().to_string(), doc, ty: &field.ty });
        }
        let is_plain = item.generics.params.is_empty() && !variants.is_empty();
        is_plain.then(|| Self { ident: &item.ident, doc, variants })
    }
}

#[cfg(test)]
mod tests;
