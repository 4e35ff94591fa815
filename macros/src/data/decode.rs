//! `Deserialize` for a struct that `#[data]` understands.

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::record::Record;

pub(super) fn decode(record: &Record<'_>, krate: &Path) -> TokenStream {
    let private = quote!(#krate::__private);
    let Record { ident, is_closed, fields, .. } = record;
    let name = ident.unraw().to_string();
    let [source, taken] = ["source", "taken"].map(|name| Ident::new(name, Span::mixed_site()));
    let names = fields.iter().map(|field| &field.name);
    let types = fields.iter().map(|field| without_self(field.ty.to_token_stream(), ident));
    let nothing = fields.iter().map(|_| quote!(::core::option::Option::None));
    let fills = fields.iter().enumerate().map(|(at, field)| {
        let span = Span::mixed_site().located_at(field.ty.span());
        let take = if field.has_default { "defaulted" } else { "required" };
        let [take, source, taken] = [take, "source", "taken"].map(|name| Ident::new(name, span));
        let mut at = Literal::usize_unsuffixed(at);
        at.set_span(span);
        quote_spanned! {span=>
            #at => #private::Source::#take(#source, &mut #taken.#at),
        }
    });
    let values: Vec<_> = (0..fields.len())
        .map(|at| format_ident!("field_{at}", span = Span::mixed_site()))
        .collect();
    let idents = fields.iter().map(|field| field.ident);
    quote! {
        #[automatically_derived]
        #[allow(deprecated, clippy::all, clippy::pedantic)]
        impl<'de> #private::serde::Deserialize<'de> for #ident {
            fn deserialize<__D: #private::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                struct __ToolwrightDecoder;
                impl<'de> #private::Decoded<'de> for __ToolwrightDecoder {
                    type Record = #ident;
                    type Fields = (#(::core::option::Option<#types>,)*);
                    const NAMES: &'static #private::Names = &#private::Names {
                        name: #name,
                        fields: &[#(#names),*],
                        is_closed: #is_closed,
                    };
                    fn fields() -> Self::Fields {
                        (#(#nothing,)*)
                    }
                    #[allow(unused_variables)]
                    fn fill<S: #private::Source<'de>>(
                        #taken: &mut Self::Fields,
                        #source: &mut S,
                    ) -> ::core::result::Result<(), S::Error> {
                        match #private::Source::at(#source) {
                            #(#fills)*
                            _ => ::core::result::Result::Ok(()),
                        }
                    }
                    #[allow(unreachable_patterns)]
                    fn record(fields: Self::Fields) -> ::core::option::Option<#ident> {
                        match fields {
                            (#(::core::option::Option::Some(#values),)*) => {
                                ::core::option::Option::Some(#ident { #(#idents: #values),* })
                            }
                            _ => ::core::option::Option::None,
                        }
                    }
                }
                #private::decoded::<__ToolwrightDecoder, __D>(deserializer)
            }
        }
    }
}

/// The type with the struct's name for `Self`, which has another meaning where the type goes.
fn without_self(tokens: TokenStream, ident: &Ident) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "Self" => spanned(ident, word.span()).into(),
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), without_self(group.stream(), ident));
            inner.set_span(group.span());
            inner.into()
        }
        token => token,
    });
    replaced.collect()
}

fn spanned(ident: &Ident, span: Span) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(span);
    ident
}
