//! Generates code from the model. The code is short: all logic is in ordinary functions of
//! `toolwright::__private`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, FnArg};

use crate::args::ToolArgs;
use crate::check::check;
use crate::item::Item;
use crate::model::{Param, Tool};

/// `#[tool]`.
pub(crate) fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, mut error) = ToolArgs::parse(args);
    let item: Item = match syn::parse2(item.clone()) {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = Error::new(error.span(), format!("#[tool] stands on a function: {error}"))
                .into_compile_error();
            return quote!(#item #error);
        }
    };
    if let Some(complaints) = check(&args, &item) {
        match &mut error {
            Some(error) => error.combine(complaints),
            None => error = Some(complaints),
        }
    }
    let tool = Tool::new(&args, &item);
    match error {
        None => {
            let items = items(&tool, &definition(&tool));
            quote!(#item #items)
        }
        Some(error) if item.sig.inputs.iter().any(|input| matches!(input, FnArg::Receiver(_))) => {
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

/// The type beside the function.
fn items(tool: &Tool<'_>, definition: &TokenStream) -> TokenStream {
    let Tool { ident, vis, cfgs, krate, .. } = tool;
    let type_doc = format!("The tool of the function [`{ident}`](fn@{ident}).");
    quote! {
        #(#cfgs)*
        #[allow(non_camel_case_types, dead_code, unreachable_pub)]
        #[allow(missing_copy_implementations, missing_debug_implementations)]
        #[allow(clippy::empty_structs_with_brackets)]
        #[doc = #type_doc]
        #vis struct #ident {}

        #(#cfgs)*
        #[automatically_derived]
        #[allow(dead_code, unreachable_pub)]
        #[allow(clippy::all, clippy::pedantic, clippy::same_name_method)]
        impl #ident {
            /// The tool, for a registry.
            #vis fn tool() -> #krate::__private::Tool {
                <Self as #krate::__private::ToolFunction>::tool()
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        #[allow(deprecated, clippy::all, clippy::pedantic)]
        impl #krate::__private::ToolFunction for #ident {
            fn tool() -> #krate::__private::Tool {
                #definition
            }
        }
    }
}

fn definition(tool: &Tool<'_>) -> TokenStream {
    let Tool { args, ident, krate, name, description, is_async, params, returns, .. } = tool;
    let private = quote!(#krate::__private);
    let kind = match (is_async, args.inline.is_some()) {
        (true, _) => quote!(Async),
        (false, true) => quote!(Inline),
        (false, false) => quote!(Sync),
    };
    let slots = params.iter().map(|param| slot(param, &private));
    let entries = params.iter().map(|Param { name, description, slot, .. }| {
        quote!((#name, #description, #private::Place::slot(&mut #slot)))
    });
    let taken: Vec<_> = params.iter().map(|param| &param.slot).collect();
    let values = params.iter().map(|Param { slot, by_ref, .. }| {
        if *by_ref { quote!(#private::Lend::lend(&#slot)) } else { quote!(#slot) }
    });
    let awaited = is_async.then(|| quote!(.await));
    let input = quote_spanned!(proc_macro2::Span::mixed_site()=> input);
    let returned = quote_spanned!(proc_macro2::Span::mixed_site()=> returned);
    let returns = quote_spanned!(returns.span()=> #input.returns::<#returns, _>());
    let settings = settings(tool, &private);
    quote! {
        #private::Tool::from_function(
            #name,
            #private::trimmed(#description),
            #private::Kind::#kind,
            |#input| {
                #[allow(unused_imports)]
                use #private::{HasBoxedCauses as _, HasCauses as _, HasNoOutput as _};
                #[allow(unused_imports)]
                use #private::{HasNoPlace as _, HasOutput as _, HasPlace as _};
                #returns;
                #(#slots)*
                #private::decode(#input, &mut [#(#entries),*])?;
                #(let #taken = #private::Place::take(#taken)?;)*
                #private::work(async move {
                    let #returned = #ident(#(#values),*)#awaited;
                    (&&&#private::probe(&#returned)).output(#returned)
                })
            },
        )
        #settings
    }
}

/// Names the parameter's type. No other generated code does, so a type that cannot be an argument
/// causes one error, on the type.
fn slot(param: &Param<'_>, private: &TokenStream) -> TokenStream {
    let Param { ty, by_ref, slot, .. } = param;
    let how = if *by_ref { quote!(by_ref) } else { quote!(by_value) };
    quote!(let mut #slot = (&#private::#how::<#ty, _>()).place();)
}

fn settings(tool: &Tool<'_>, private: &TokenStream) -> TokenStream {
    let args = tool.args;
    let mut settings = TokenStream::new();
    let hints = [
        (args.read_only, quote!(read_only_hint)),
        (args.destructive, quote!(destructive_hint)),
        (args.idempotent, quote!(idempotent_hint)),
        (args.open_world, quote!(open_world_hint)),
    ];
    let hints = hints.into_iter().filter_map(|(value, field)| {
        value.map(|value| quote!(annotations.#field = ::core::option::Option::Some(#value);))
    });
    let hints: Vec<_> = hints.collect();
    if !hints.is_empty() {
        settings.extend(quote!(.annotate(|annotations| { #(#hints)* })));
    }
    if let Some(title) = &args.title {
        settings.extend(quote!(.with_title(#title)));
    }
    if let Some(millis) = args.timeout {
        settings.extend(quote!(.with_timeout(::core::time::Duration::from_millis(#millis))));
    }
    for icon in &args.icons {
        settings.extend(quote!(.with_icon(#private::Icon::new(#icon))));
    }
    for (key, value) in &args.meta {
        settings.extend(quote!(.with_meta(#key, #private::serde_json::json!(#value))));
    }
    settings
}
