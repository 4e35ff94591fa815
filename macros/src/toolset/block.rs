//! The `impl` block under the attribute. Its methods are read; all else in it stays tokens, so that
//! the compiler reports the errors there.

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::token::Brace;
use syn::{Attribute, GenericParam, Generics, Result, Token, Type, braced};

use crate::item::Item;
use crate::noun::Noun;
use crate::unread::Unread;

pub(super) struct Block {
    attrs: Vec<Attribute>,
    pub(super) impl_token: Token![impl],
    pub(super) generics: Generics,
    /// The trait, if it is the block of one.
    pub(super) of_trait: Option<(Type, Token![for])>,
    pub(super) self_ty: Type,
    brace: Brace,
    inner_attrs: Vec<Attribute>,
    members: Vec<Member>,
}

enum Member {
    /// A method or a function without a receiver.
    Method(Box<Item>),
    /// A method under `#[tool]` with a syntax error.
    Unread(Box<Unread>),
    Other(TokenStream),
}

impl Parse for Block {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let impl_token = input.parse()?;
        let mut generics: Generics = input.parse()?;
        let first: Type = input.parse()?;
        let (of_trait, self_ty) = match input.parse::<Option<Token![for]>>()? {
            Some(for_token) => (Some((first, for_token)), input.parse()?),
            None => (None, first),
        };
        generics.where_clause = input.parse()?;
        let content;
        let brace = braced!(content in input);
        let inner_attrs = content.call(Attribute::parse_inner)?;
        let mut members = Vec::new();
        while !content.is_empty() {
            members.push(content.parse()?);
        }
        Ok(Self { attrs, impl_token, generics, of_trait, self_ty, brace, inner_attrs, members })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let ahead = input.fork();
        let error = match ahead.parse::<Item>() {
            Ok(item) => {
                input.advance_to(&ahead);
                return Ok(Self::Method(Box::new(item)));
            }
            Err(error) => error,
        };
        let mut tokens = TokenStream::new();
        while !input.is_empty() {
            let token: TokenTree = input.parse()?;
            let is_end = match &token {
                TokenTree::Punct(punct) => punct.as_char() == ';',
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                _ => false,
            };
            tokens.append(token);
            if is_end {
                break;
            }
        }
        let unread = Unread::new(tokens.clone(), &error, Noun::Tool)
            .filter(|it| !it.head.repeated.is_empty());
        Ok(unread.map_or(Self::Other(tokens), |unread| Self::Unread(Box::new(unread))))
    }
}

impl Block {
    pub(super) fn methods(&mut self) -> impl Iterator<Item = &mut Item> {
        self.members.iter_mut().filter_map(|member| match member {
            Member::Method(item) => Some(&mut **item),
            Member::Unread(_) | Member::Other(_) => None,
        })
    }

    /// What stands for the tools of the methods that cannot be read.
    pub(super) fn refusals(&self) -> impl Iterator<Item = &TokenStream> {
        self.members.iter().filter_map(|member| match member {
            Member::Unread(unread) => Some(&unread.refusal),
            Member::Method(_) | Member::Other(_) => None,
        })
    }

    /// The names of types that only the block can use.
    pub(super) fn own_names(&self) -> Vec<Ident> {
        let params = self.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(param.ident.clone()),
            GenericParam::Const(param) => Some(param.ident.clone()),
            GenericParam::Lifetime(_) => None,
        });
        params.chain([Ident::new("Self", Span::call_site())]).collect()
    }

    /// `'_` in the type.
    pub(super) fn elided_lifetime(&self) -> Option<TokenStream> {
        elided_lifetime(self.self_ty.to_token_stream())
    }
}

fn elided_lifetime(tokens: TokenStream) -> Option<TokenStream> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let name = tokens.next_if(|name| matches!(name, TokenTree::Ident(it) if it == "_"));
                if let Some(name) = name {
                    return Some([token, name].into_iter().collect());
                }
            }
            TokenTree::Group(group) => {
                if let Some(found) = elided_lifetime(group.stream()) {
                    return Some(found);
                }
            }
            _ => {}
        }
    }
    None
}

/// The block as it was written, but for the attributes that only a macro can read.
impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, impl_token, generics, of_trait, self_ty, .. } = self;
        let of_trait = of_trait.as_ref().map(|(of_trait, for_token)| quote!(#of_trait #for_token));
        let where_clause = &generics.where_clause;
        let head = quote!(#(#attrs)* #impl_token #generics #of_trait #self_ty #where_clause);
        tokens.extend(head);
        self.brace.surround(tokens, |tokens| {
            tokens.append_all(&self.inner_attrs);
            tokens.append_all(&self.members);
        });
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Method(item) => item.to_tokens(tokens),
            Self::Unread(unread) => unread.to_tokens(tokens),
            Self::Other(other) => other.to_tokens(tokens),
        }
    }
}
