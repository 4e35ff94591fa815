//! `#[data]`: the three derives, with the paths of the crates that toolwright re-exports.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Path, Result, Token, parse_quote};

/// `#[data]`.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let parser = |input: ParseStream<'_>| -> Result<Path> {
        if input.is_empty() {
            return Ok(parse_quote!(::toolwright));
        }
        input.parse::<Token![crate]>().map_err(|error| {
            syn::Error::new(error.span(), "the only key of #[data] is `crate = path`")
        })?;
        input.parse::<Token![=]>()?;
        input.call(Path::parse_mod_style)
    };
    let krate = match parser.parse2(args) {
        Ok(krate) => krate,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#item #error);
        }
    };
    let (serde, schemars) = (path(&krate, "serde"), path(&krate, "schemars"));
    quote! {
        #[derive(#krate::__private::serde::Serialize, #krate::__private::serde::Deserialize)]
        #[derive(#krate::__private::schemars::JsonSchema)]
        #[serde(crate = #serde)]
        #[schemars(crate = #schemars)]
        #item
    }
}

fn path(krate: &Path, inner: &str) -> String {
    let inner = quote::format_ident!("{inner}");
    quote!(#krate::__private::#inner).to_string().replace(' ', "")
}
