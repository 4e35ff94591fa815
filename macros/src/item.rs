//! The function under the attribute. Its body stays tokens, so that the compiler reports the errors
//! in it.

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
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl Item {
    /// True if only a macro can read an attribute on a parameter. The compiler itself accepts only
    /// lint and `cfg` attributes there.
    pub(crate) fn is_for_macros(attr: &Attribute) -> bool {
        const KNOWN: [&str; 7] = ["allow", "cfg", "cfg_attr", "deny", "expect", "forbid", "warn"];
        attr.path().segments.len() == 1 && !KNOWN.iter().any(|known| attr.path().is_ident(known))
    }
}

/// The function as it was written, without the attributes on its parameters that only a macro can
/// read.
impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut sig = self.sig.clone();
        for input in &mut sig.inputs {
            if let FnArg::Typed(param) = input {
                param.attrs.retain(|attr| !Self::is_for_macros(attr));
            }
        }
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}
