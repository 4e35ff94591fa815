//! `#[tool]` on something that is no function.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{DeriveInput, Error, Path};

use crate::noun::Noun;

/// The item with what is wrong. A type becomes a tool all the same, so that its uses as one cause
/// no further errors.
pub(crate) fn misplaced(
    item: &TokenStream,
    error: &Error,
    krate: &Path,
    noun: Noun,
) -> TokenStream {
    let declared = syn::parse2::<DeriveInput>(item.clone());
    let rest = match &declared {
        Ok(_) => "; `#[data]` makes an argument of a type".to_owned(),
        Err(_) if is_block(item) => {
            ": put `#[toolset]` on the block, and `#[tool]` on methods in it".to_owned()
        }
        Err(_) => format!(": {error}"),
    };
    let message = noun.said(&format!("#[tool] stands on a function{rest}"));
    let (make, ty, of_function) = (noun.ident(), noun.ty(), noun.function());
    let error = Error::new(error.span(), message).into_compile_error();
    let tool = declared.ok().map(|DeriveInput { ident, generics, .. }| {
        let (generics, args, bounds) = generics.split_for_impl();
        let private = quote!(#krate::__private);
        quote! {
            #[automatically_derived]
            impl #generics #private::#of_function for #ident #args #bounds {
                fn #make() -> #private::#ty {
                    ::core::unreachable!()
                }
            }
        }
    });
    quote!(#item #tool #error)
}

/// True for an `impl` block. The names in its attributes are in groups.
fn is_block(item: &TokenStream) -> bool {
    let mut tokens = item.clone().into_iter();
    let first = tokens.find(|token| matches!(token, TokenTree::Ident(_)));
    first.is_some_and(|first| first.to_string() == "impl")
}
