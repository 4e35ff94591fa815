//! The function under the attribute. Its body stays tokens, so that the compiler reports the errors
//! in it.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, Meta, Path, Result, Signature, Token, Type, Visibility, parse_quote};

use crate::noun::Noun;

pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    /// Further attributes `#[tool]`, `#[prompt]` or `#[resource]`.
    pub(crate) repeated: Vec<Attribute>,
    /// False for a method of a `#[toolset]` that is no tool, which stays as it was written.
    pub(crate) is_marked: bool,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        // Other crates have attributes of the same names.
        let is_ours = |path: &Path| {
            let mut modules = path.segments.iter().rev().skip(1);
            modules.all(|module| module.ident == "toolwright")
        };
        let is_mark = |attr: &Attribute| Noun::of(attr).is_some() && is_ours(attr.path());
        let (repeated, attrs) = attrs.into_iter().partition(is_mark);
        let (vis, sig) = (input.parse()?, input.parse()?);
        let body = input.parse::<TokenTree>()?.into();
        Ok(Self { attrs, repeated, is_marked: true, vis, sig, body })
    }
}

impl Item {
    /// False for a function of a trait that ends with a semicolon.
    pub(crate) fn has_body(&self) -> bool {
        !matches!(self.body.clone().into_iter().next(), Some(TokenTree::Punct(_)))
    }

    pub(crate) fn has_receiver(&self) -> bool {
        matches!(self.sig.inputs.first(), Some(FnArg::Receiver(_)))
    }

    /// True for a type that only a reference can stand for. The function then gets the reference,
    /// as the compiler would say of the function itself what [`check`](crate::check) says.
    pub(crate) fn is_unsized(ty: &Type) -> bool {
        match ty {
            Type::Path(ty) => ty.path.is_ident("str"),
            ty => matches!(ty, Type::Slice(_) | Type::TraitObject(_)),
        }
    }

    /// True if only a macro can read an attribute on a parameter. The compiler itself accepts only
    /// lint and `cfg` attributes there.
    pub(crate) fn is_for_macros(path: &Path) -> bool {
        const KNOWN: [&str; 7] = ["allow", "cfg", "cfg_attr", "deny", "expect", "forbid", "warn"];
        path.segments.len() == 1 && !KNOWN.iter().any(|known| path.is_ident(known))
    }

    /// The first such attribute in a `#[cfg_attr(…)]`. The compiler knows the condition only after
    /// this macro.
    pub(crate) fn conditional(meta: &Meta) -> Option<Meta> {
        let Meta::List(list) = meta else { return None };
        let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
        let metas = list.path.is_ident("cfg_attr").then(|| list.parse_args_with(parse).ok())??;
        metas.into_iter().skip(1).find_map(|meta| match Self::is_for_macros(meta.path()) {
            true => Some(meta),
            false => Self::conditional(&meta),
        })
    }
}

/// The function as it was written, without the attributes on its parameters that only a macro can
/// read.
impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if !self.is_marked {
            let Self { attrs, vis, sig, body, .. } = self;
            return tokens.extend(quote!(#(#attrs)* #vis #sig #body));
        }
        let mut sig = self.sig.clone();
        for input in &mut sig.inputs {
            if let FnArg::Typed(param) = input {
                param.attrs.retain(|attr| {
                    !Self::is_for_macros(attr.path()) && Self::conditional(&attr.meta).is_none()
                });
                if Self::is_unsized(&param.ty) {
                    let ty = &param.ty;
                    let has_plus = matches!(&**ty, Type::TraitObject(object)
                        if object.bounds.len() > 1 || object.bounds.trailing_punct());
                    *param.ty = match has_plus {
                        true => parse_quote!(&(#ty)),
                        false => parse_quote!(&#ty),
                    };
                }
            }
        }
        tokens.append_all(&self.attrs);
        // The compiler refuses a free function without a body by a message of its own.
        let needs_body = !self.has_body() && !self.has_receiver();
        tokens.extend(needs_body.then(|| quote!(#[allow(unused_variables)])));
        self.vis.to_tokens(tokens);
        sig.to_tokens(tokens);
        match needs_body {
            true => tokens.extend(quote!({ ::core::unreachable!() })),
            false => self.body.to_tokens(tokens),
        }
    }
}
