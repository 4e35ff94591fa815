//! Generates code from the model. The code is short: all logic is in ordinary functions of
//! `toolwright::__private`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;

use crate::args::ToolArgs;
use crate::check::{Place, check, may_have_type};
use crate::complaints::combined;
use crate::function::function;
use crate::item::Item;
use crate::misplaced::misplaced;
use crate::model::Tool;
use crate::noun::Noun;
use crate::settings::settings;
use crate::start::start;
use crate::unread::Unread;

/// `#[tool]`, `#[prompt]` and `#[resource]`.
pub(crate) fn function_item(noun: Noun, args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, error) = ToolArgs::parse(args, ToolArgs { noun, ..ToolArgs::default() });
    let item: Item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => match Unread::new(item.clone(), &error, noun) {
            Some(unread) => return unread_tool(&args, &unread),
            None => return misplaced(&item, &error, &args.krate(), noun),
        },
    };
    let error = combined(error.into_iter().chain(check(&args, &item, Place::Alone)));
    let tool = Tool::new(&args, &item);
    match error {
        None => {
            let items = items(&tool, &definition(&tool));
            let collected = collected(&tool);
            quote!(#item #items #collected)
        }
        Some(error) if !may_have_type(&item) => {
            let error = error.into_compile_error();
            quote!(#item #error)
        }
        // The type is generated all the same, so that its uses cause no further errors.
        Some(error) => {
            let items = items(&tool, &quote!(::core::unreachable!()));
            let error = error.into_compile_error();
            quote!(#item #items #error)
        }
    }
}

/// The type exists all the same, so that its uses cause no further errors.
fn unread_tool(args: &ToolArgs, unread: &Unread) -> TokenStream {
    let items =
        (!unread.has_receiver).then(|| items(&Tool::new(args, &unread.head), &unread.refusal));
    quote!(#unread #items)
}

/// The type beside the function. Where a `#[cfg]` is false the compiler calls no macro.
fn items(tool: &Tool<'_>, definition: &TokenStream) -> TokenStream {
    let Tool { args, ident, vis, krate, .. } = tool;
    let (noun, make, of_function) = (args.noun.name(), args.noun.ident(), args.noun.function());
    let ty = args.noun.ty();
    let function = ident.unraw();
    let type_doc = format!("The {noun} of the function [`{function}`](fn@{function}).");
    let make_doc = format!("The {noun}, for a registry.");
    quote! {
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #[allow(missing_copy_implementations, missing_debug_implementations)]
        #[allow(clippy::empty_structs_with_brackets)]
        #[doc = #type_doc]
        #vis struct #ident {}

        #[automatically_derived]
        #[allow(dead_code, unreachable_pub)]
        #[allow(clippy::all, clippy::pedantic, clippy::same_name_method)]
        impl #ident {
            #[doc = #make_doc]
            #vis fn #make() -> #krate::__private::#ty {
                <Self as #krate::__private::#of_function>::#make()
            }
        }

        #[automatically_derived]
        #[allow(deprecated, clippy::all, clippy::pedantic)]
        impl #krate::__private::#of_function for #ident {
            fn #make() -> #krate::__private::#ty {
                #definition
            }
        }
    }
}

fn definition(tool: &Tool<'_>) -> TokenStream {
    let krate = &tool.krate;
    let private = quote!(#krate::__private);
    let input = Ident::new("input", Span::mixed_site());
    let callee = tool.ident.to_token_stream();
    let (function, start) = (function(tool), start(tool, &input, &callee, None));
    let (ty, uri, settings) = (tool.args.noun.ty(), tool.args.uri.iter(), settings(tool, None));
    // A closure would have a second function, through which a pointer calls it.
    quote! {
        fn __toolwright_start(
            #input: &#private::Input<'_>,
        ) -> ::core::result::Result<#private::Work, #private::BadArguments> {
            #start
        }
        #private::#ty::of_function(#(#uri,)* const { &#function }, __toolwright_start) #settings
    }
}

/// What submits the tool to `ToolRegistryBuilder::collect`: nothing without the feature `collect`.
fn collected(tool: &Tool<'_>) -> TokenStream {
    let Tool { args, ident, krate, .. } = tool;
    if args.noun != Noun::Tool {
        return TokenStream::new();
    }
    quote! {
        #krate::__private::collected! { #ident }
    }
}
