//! A function that cannot be read. The compiler has reported its syntax error before a macro runs,
//! so that nothing but this error should be seen.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Error;

use crate::item::Item;
use crate::noun::Noun;

pub(crate) struct Unread {
    /// A function of this name without parameters, result and body.
    pub(crate) head: Item,
    /// True if it is a method.
    pub(crate) has_receiver: bool,
    /// In place of what cannot be generated: an error, if only this library cannot read the
    /// function. It comes so late that the compiler has given up before, if it cannot read it
    /// either.
    pub(crate) refusal: TokenStream,
    function: TokenStream,
}

impl Unread {
    /// `None` if the tokens are no function.
    pub(crate) fn new(tokens: TokenStream, error: &Error, noun: Noun) -> Option<Self> {
        let message = format!("`#[{}]` cannot read this function: {error}", noun.name());
        let refusal = quote!(const { ::core::panic!(#message) });
        let mut tokens = tokens.into_iter();
        let mut before = TokenStream::new();
        let keyword = loop {
            match tokens.next()? {
                TokenTree::Ident(word) if word == "fn" => break word,
                token => before.extend([token]),
            }
        };
        let Some(TokenTree::Ident(name)) = tokens.next() else { return None };
        let head = syn::parse2(quote!(#before #keyword #name() {})).ok()?;
        let before = without_attrs(before, false);
        let mut has_receiver = false;
        let rest = tokens.map(|token| match token {
            TokenTree::Group(group) => {
                let inner = match group.delimiter() {
                    Delimiter::Parenthesis => without_attrs(group.stream(), true),
                    Delimiter::Brace => refusal.clone(),
                    _ => group.stream(),
                };
                let is_self = |token| matches!(token, TokenTree::Ident(it) if it == "self");
                has_receiver |= inner.clone().into_iter().any(is_self);
                let mut stripped = Group::new(group.delimiter(), inner);
                stripped.set_span(group.span());
                stripped.into()
            }
            token => token,
        });
        let rest: TokenStream = rest.collect();
        let function = quote!(#before #keyword #name #rest);
        Some(Self { head, has_receiver, refusal, function })
    }
}

/// Removes the attributes `#[tool]`, or all of them.
fn without_attrs(tokens: TokenStream, all: bool) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut rest = TokenStream::new();
    while let Some(token) = tokens.next() {
        let is_mark = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
        let attr = tokens.next_if(|next| is_mark && (all || is_tool(next)));
        rest.extend(attr.is_none().then_some(token));
    }
    rest
}

/// True for what stands behind `#` in `#[tool(…)]`, with any path.
fn is_tool(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let path = group.stream().into_iter().take_while(|it| !matches!(it, TokenTree::Group(_)));
    path.last().is_some_and(|last| {
        let last = last.to_string();
        Noun::ALL.iter().any(|noun| last == noun.name())
    })
}

/// The function without the attributes on its parameters, which only a macro can read.
impl ToTokens for Unread {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.function.to_tokens(tokens);
    }
}
