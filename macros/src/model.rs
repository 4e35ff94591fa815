//! The meaning of the attribute and of the function.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, Ident, LitStr, Meta, Pat, Path, ReturnType, Type, Visibility, parse_quote,
};

use crate::arg::ArgArgs;
use crate::args::ToolArgs;
use crate::item::Item;
use crate::keys::literal_text;
use crate::lent::{Passing, kept, passing};
use crate::passed::Passed;

/// One tool.
pub(crate) struct Tool<'a> {
    pub(crate) args: &'a ToolArgs,
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a Visibility,
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
    pub(crate) arg: ArgArgs,
    /// True if the parameter is no simple name and has no other name.
    pub(crate) is_nameless: bool,
    /// Of the pattern.
    pub(crate) span: Span,
    /// True if it is written as `Args`, whatever that is.
    pub(crate) is_args: bool,
    pub(crate) passed: Option<Passed<'a>>,
    pub(crate) passing: Passing,
    /// The type; for a reference, the type that it refers to.
    pub(crate) ty: &'a Type,
    /// The variable of the expansion that keeps the parameter's value.
    pub(crate) slot: Ident,
}

impl<'a> Tool<'a> {
    pub(crate) fn new(args: &'a ToolArgs, item: &'a Item) -> Self {
        let ident = &item.sig.ident;
        let params = item.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(param) => Some(param),
            _ => None,
        });
        let krate = args.krate();
        let params = params.enumerate().map(|(at, param)| {
            let (passing, ty) = passing(&param.ty);
            let (arg, _) = ArgArgs::parse(&param.attrs);
            let renamed = arg.rename.as_ref().map(LitStr::value);
            let description = arg.description.as_ref().map(ToTokens::to_token_stream);
            Param {
                name: renamed.unwrap_or_else(|| name_of(&param.pat)),
                description: description.unwrap_or_else(|| docs(&param.attrs)),
                is_nameless: arg.rename.is_none() && !matches!(*param.pat, Pat::Ident(_)),
                span: param.pat.span(),
                is_args: is_args(&param.pat, ty),
                arg,
                passed: Passed::new(&param.attrs, at, kept(passing, ty, &krate)),
                passing,
                ty,
                slot: Ident::new(&format!("param_{at}"), Span::mixed_site()),
            }
        });
        Self {
            args,
            ident,
            vis: &item.vis,
            krate: args.krate(),
            name: args.prefix.clone()
                + &args.name.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value),
            description: args
                .description
                .as_ref()
                .map_or_else(|| docs(&item.attrs), ToTokens::to_token_stream),
            is_async: item.sig.asyncness.is_some(),
            params: params.collect(),
            returns: match &item.sig.output {
                ReturnType::Type(_, ty) => (**ty).clone(),
                _ => parse_quote!(()),
            },
        }
    }
}

/// True for `Args(search): Args<Search>`, and for either half of it.
fn is_args(pat: &Pat, ty: &Type) -> bool {
    let path = match (pat, ty) {
        (Pat::TupleStruct(pat), _) => &pat.path,
        (_, Type::Path(ty)) => &ty.path,
        _ => return false,
    };
    path.segments.last().is_some_and(|last| last.ident == "Args")
}

/// `_x` is `x`, `r#type` is `type`.
pub(crate) fn name_of(pat: &Pat) -> String {
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

/// The doc comments as one text, without the space after the slashes. Paragraphs and further
/// indentation stay. The library removes what is blank before and behind it.
fn docs(attrs: &[Attribute]) -> TokenStream {
    let mut parts: Vec<TokenStream> = Vec::new();
    let mut text = String::new();
    let values = attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    });
    for value in values {
        match literal_text(value) {
            Some(literal) => lines(&literal).for_each(|line| text = format!("{text}{line}\n")),
            // Such as `#[doc = include_str!("add.md")]`.
            None => {
                parts.extend([text.to_token_stream(), value.to_token_stream()]);
                text = "\n".to_owned();
            }
        }
    }
    match parts.is_empty() {
        true => text.to_token_stream(),
        false => quote!(::core::concat!(#(#parts,)* #text)),
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    // A block comment whose lines begin with stars ends with the white space before `*/`.
    let ends_blank =
        text.rsplit('\n').next().is_some_and(|last| !last.is_empty() && last.trim().is_empty());
    let is_starred = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('*');
    let starred = ends_blank && text.split('\n').skip(1).all(is_starred);
    text.split('\n').map(move |line| {
        let line = if starred { line.trim_start().trim_start_matches('*') } else { line };
        line.strip_prefix(' ').unwrap_or(line).trim_end()
    })
}
