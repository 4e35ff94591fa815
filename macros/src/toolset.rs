//! `#[toolset]`: tools that are methods of one value.

mod args;
mod block;
mod receiver;
mod method;
mod items;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Error;

use args::ToolsetArgs;
use block::Block;
use items::items;
use method::{Names, mark, method};

const TRAIT: &str = "`#[toolset]` stands on `impl Type { … }`: write the tools there, and let them \
    call the trait's methods";
const LIFETIME: &str =
    "a toolset lives as long as its server: own what it has, such as a `String` for a `&str`";
const EMPTY: &str = "no method in this block is under `#[tool]`; one that a macro in the block \
    writes cannot be seen";

/// `#[toolset]`.
pub(crate) fn toolset(args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, error) = ToolsetArgs::parse(args);
    let mut block: Block = match syn::parse2(item.clone()) {
        Ok(block) => block,
        Err(error) => {
            let message = format!("#[toolset] stands on an `impl` block: {error}");
            let error = Error::new(error.span(), message).into_compile_error();
            return quote!(#item #error);
        }
    };
    let mut errors: Vec<Error> = error.into_iter().chain(check_block(&block)).collect();
    let names = Names::new();
    let of_block = block.own_names();
    let (mut tools, mut is_empty) = (Vec::new(), block.of_trait.is_none());
    for item in block.methods() {
        let (mark, found) = mark(item);
        is_empty &= mark.is_none() && found.is_empty();
        errors.extend(found);
        if let Some(mark) = &mark {
            match method(mark, item, &args, &of_block, &names) {
                Ok(tool) => tools.push(tool),
                Err(error) => errors.push(error),
            }
        }
    }
    tools.extend(block.refusals().map(|refusal| quote!(#refusal;)));
    if is_empty && tools.is_empty() && args.groups.is_empty() {
        errors.push(Error::new_spanned(block.impl_token, EMPTY));
    }
    // The type can have no tools, so an implementation would cause further errors.
    let items = lifetime(&block).is_none().then(|| items(&block, &args, &names, &tools));
    let errors = errors.into_iter().map(Error::into_compile_error);
    quote!(#block #items #(#errors)*)
}

fn check_block(block: &Block) -> Vec<Error> {
    let mut errors = Vec::new();
    if let Some((_, for_token)) = &block.of_trait {
        errors.push(Error::new_spanned(for_token, TRAIT));
    }
    errors.extend(lifetime(block).map(|lifetime| Error::new_spanned(lifetime, LIFETIME)));
    errors
}

fn lifetime(block: &Block) -> Option<TokenStream> {
    let lifetime = block.generics.lifetimes().next().map(ToTokens::to_token_stream);
    lifetime.or_else(|| block.elided_lifetime())
}
