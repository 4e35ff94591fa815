//! What the attribute and the function mean.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, FnArg, Ident, Lit, Meta, Pat, Path, ReturnType, Type, Visibility, parse_quote};

use crate::args::ToolArgs;
use crate::item::Item;

/// One tool.
pub(crate) struct Tool<'a> {
    pub(crate) args: &'a ToolArgs,
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a Visibility,
    /// Under which conditions the function is there.
    pub(crate) cfgs: Vec<&'a Attribute>,
    pub(crate) krate: Path,
    pub(crate) name: String,
    pub(crate) description: TokenStream,
    pub(crate) is_async: bool,
    pub(crate) params: Vec<Param<'a>>,
    pub(crate) returns: Type,
}

/// One parameter.
pub(crate) struct Param<'a> {
    /// As clients see it; empty where the parameter is a pattern.
    pub(crate) name: String,
    pub(crate) description: TokenStream,
    /// The type, for a reference what is behind it.
    pub(crate) ty: &'a Type,
    pub(crate) by_ref: bool,
    /// Where the expansion keeps the parameter's value.
    pub(crate) slot: Ident,
}

impl<'a> Tool<'a> {
    pub(crate) fn new(args: &'a ToolArgs, item: &'a Item) -> Self {
        let ident = &item.sig.ident;
        let params = item.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            _ => None,
        });
        let params = params.enumerate().map(|(at, param)| {
            let (ty, by_ref) = match &*param.ty {
                Type::Reference(reference) => (&*reference.elem, true),
                ty => (ty, false),
            };
            Param {
                name: name_of(&param.pat),
                description: docs(&param.attrs),
                ty,
                by_ref,
                slot: Ident::new(&format!("param_{at}"), Span::mixed_site()),
            }
        });
        Self {
            args,
            ident,
            vis: &item.vis,
            cfgs: item.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect(),
            krate: args.krate.clone().unwrap_or_else(|| parse_quote!(::toolwright)),
            name: args.name.as_ref().map_or_else(|| ident.unraw().to_string(), |name| name.value()),
            description: args.description.as_ref().map_or_else(|| docs(&item.attrs), ToTokens::to_token_stream),
            is_async: item.sig.asyncness.is_some(),
            params: params.collect(),
            returns: match &item.sig.output {
                ReturnType::Type(_, ty) => (**ty).clone(),
                _ => parse_quote!(()),
            },
        }
    }
}

/// `_x` is `x`, `r#type` is `type`.
fn name_of(pat: &Pat) -> String {
    match pat {
        Pat::Ident(pat) => {
            let name = pat.ident.unraw().to_string();
            match name.trim_start_matches('_') {
                "" => name,
                trimmed => trimmed.to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// The doc comments as one text: the space behind the slashes goes, paragraphs and further indentation stay.
fn docs(attrs: &[Attribute]) -> TokenStream {
    let mut lines = Vec::new();
    let mut parts: Vec<TokenStream> = Vec::new();
    let values = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    });
    for value in values {
        match value {
            Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_)) => {
                if let Lit::Str(text) = &lit.lit {
                    lines.extend(text.value().lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()));
                }
            }
            // Such as `#[doc = include_str!("add.md")]`.
            other => {
                flush(&mut lines, &mut parts);
                parts.push(other.to_token_stream());
            }
        }
    }
    flush(&mut lines, &mut parts);
    match parts.as_slice() {
        [] => quote!(""),
        [only] => only.clone(),
        several => quote!(::core::concat!(#(#several,)*)),
    }
}

fn flush(lines: &mut Vec<String>, parts: &mut Vec<TokenStream>) {
    let text = std::mem::take(lines).join("\n");
    let text = text.trim_matches('\n');
    if !text.is_empty() {
        parts.push(text.to_token_stream());
    }
}
