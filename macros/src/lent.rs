//! References in the type of a parameter: which of them the call can lend, and what owns the
//! others.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericArgument, Path, PathArguments, Type, TypePath, TypeReference, parse_quote};

/// How a parameter gets its value from its slot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// `X`.
    Value,
    /// `&X`.
    Reference,
    /// `Option<&X>`.
    Option,
    /// `Vec<&X>`.
    Vec,
    /// `&[&X]`.
    Slice,
}

/// How the parameter is passed, and its `X`.
pub(crate) fn passing(ty: &Type) -> (Passing, &Type) {
    match peeled(ty) {
        Type::Reference(outer) => match peeled(&outer.elem) {
            list @ Type::Slice(slice) => match peeled(&slice.elem) {
                Type::Reference(inner) => (Passing::Slice, peeled(&inner.elem)),
                _ => (Passing::Reference, list),
            },
            inner => (Passing::Reference, inner),
        },
        ty => match inside(ty) {
            Some((how, Type::Reference(inner))) => (how, peeled(&inner.elem)),
            _ => (Passing::Value, ty),
        },
    }
}

/// The references through which the call lends the value, the outer one first.
pub(crate) fn references(ty: &Type) -> impl Iterator<Item = &TypeReference> {
    let ty = peeled(ty);
    let inner = match ty {
        Type::Reference(outer) => match peeled(&outer.elem) {
            Type::Slice(slice) => Some(peeled(&slice.elem)),
            _ => None,
        },
        ty => inside(ty).map(|(_, inner)| inner),
    };
    [Some(ty), inner].into_iter().flatten().filter_map(|ty| match ty {
        Type::Reference(reference) => Some(reference),
        _ => None,
    })
}

/// The type without parentheses around it, and without the invisible ones that `$ty:ty` adds in a
/// macro.
pub(crate) fn peeled(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peeled(&group.elem),
        Type::Paren(paren) => peeled(&paren.elem),
        ty => ty,
    }
}

/// True for a type of this name, in whatever module.
pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Path(ty) => ty.path.segments.last().is_some_and(|last| last.ident == name),
        _ => false,
    }
}

/// What is inside of an `Option` or a `Vec`.
pub(crate) fn inside(ty: &Type) -> Option<(Passing, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let how = match last.ident.to_string().as_str() {
        "Option" => Passing::Option,
        "Vec" => Passing::Vec,
        _ => return None,
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inner) if arguments.args.len() == 1 => Some((how, peeled(inner))),
        _ => None,
    }
}

/// What a field has of a parameter: a value is its own; the library knows what owns what is lent.
pub(crate) fn kept(passing: Passing, ty: &Type, krate: &Path) -> TokenStream {
    with_static(match passing {
        Passing::Value => quote!(#ty),
        _ => quote!(<#ty as #krate::__private::HasOwner>::Owner),
    })
}

/// The tokens with `'static` for `'_`, which a field cannot have.
fn with_static(tokens: TokenStream) -> TokenStream {
    let mut is_lifetime = false;
    let tokens = tokens.into_iter().map(|token| {
        let is_elided = is_lifetime && matches!(&token, TokenTree::Ident(name) if name == "_");
        is_lifetime = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        match token {
            token if is_elided => Ident::new("static", token.span()).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_static(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            token => token,
        }
    });
    tokens.collect()
}

/// True for what is called as the path of std, which a `PathBuf` owns.
fn is_std_path(ty: &TypePath) -> bool {
    let last = ty.path.segments.last();
    last.is_some_and(|last| last.ident == "Path" && last.arguments.is_empty())
}

/// The same type without references, for a message.
pub(crate) fn owned(ty: &Type) -> Type {
    let mut ty = match peeled(ty) {
        Type::Reference(reference) => match owned(&reference.elem) {
            Type::Slice(slice) => {
                let item = slice.elem;
                parse_quote!(::std::vec::Vec<#item>)
            }
            Type::Path(path) if path.path.is_ident("str") => parse_quote!(::std::string::String),
            Type::Path(path) if is_std_path(&path) => parse_quote!(::std::path::PathBuf),
            inner => inner,
        },
        ty => ty.clone(),
    };
    match &mut ty {
        Type::Path(path) => {
            for segment in &mut path.path.segments {
                let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else {
                    continue;
                };
                for argument in &mut arguments.args {
                    if let GenericArgument::Type(inner) = argument {
                        *inner = owned(inner);
                    }
                }
            }
        }
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(|inner| *inner = owned(inner)),
        Type::Array(array) => *array.elem = owned(&array.elem),
        Type::Slice(slice) => *slice.elem = owned(&slice.elem),
        _ => {}
    }
    ty
}

/// True if there is a reference anywhere in the tokens.
pub(crate) fn has_reference(tokens: TokenStream) -> bool {
    has(tokens, &|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '&'))
}

/// True if there is an `impl Trait` anywhere in a type.
pub(crate) fn has_impl(ty: &Type) -> bool {
    has(ty.to_token_stream(), &|token| matches!(token, TokenTree::Ident(word) if word == "impl"))
}

fn has(tokens: TokenStream, is_it: &dyn Fn(&TokenTree) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has(group.stream(), is_it),
        token => is_it(&token),
    })
}
