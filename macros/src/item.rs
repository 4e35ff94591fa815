//! The function under the attribute. Its body stays tokens: what is half written in it is for the compiler to judge.

use proc_macro2::TokenStream;
use quote::{ToTokens, TokenStreamExt};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Result, Signature, Visibility};

pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self { attrs: input.call(Attribute::parse_outer)?, vis: input.parse()?, sig: input.parse()?, body: input.parse()? })
    }
}

/// The function as it was written, without the attributes on its parameters that only a macro may read.
impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut sig = self.sig.clone();
        for input in &mut sig.inputs {
            if let FnArg::Typed(param) = input {
                param.attrs.retain(|attr| !attr.path().is_ident("doc"));
            }
        }
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}
