//! The constant that describes the function.

use proc_macro2::TokenStream;
use quote::quote;

use crate::arg::ArgArgs;
use crate::keys::sized;
use crate::model::{Param, Tool};
use crate::noun::Noun;

pub(crate) fn function(tool: &Tool<'_>) -> TokenStream {
    let Tool { args, krate, name, description, is_async, params, .. } = tool;
    let private = quote!(#krate::__private);
    let title = args.title.as_ref().map_or_else(|| quote!(""), |title| quote!(#title));
    let kind = match (is_async, args.inline.is_some()) {
        (true, _) => quote!(Async),
        (false, true) => quote!(Inline),
        (false, false) => quote!(Sync),
    };
    let hints = [args.read_only, args.destructive, args.idempotent, args.open_world];
    let hints = hints.map(|hint| match hint {
        Some(hint) => quote!(::core::option::Option::Some(#hint)),
        None => quote!(::core::option::Option::None),
    });
    let timeout = args.timeout.unwrap_or(0);
    // Whatever clients send for prompts and resources is text.
    let is_text = args.noun != Noun::Tool;
    let params = params.iter().map(|param| parameter(param, is_text, &private));
    let task = match &args.task {
        Some(support) => quote!(::core::option::Option::Some(#private::TaskSupport::#support)),
        None => quote!(::core::option::Option::None),
    };
    let (icons, scopes) = (&args.icons, &args.scopes);
    let meta =
        args.meta.iter().map(|(key, value)| quote!((#key, || #private::serde_json::json!(#value))));
    quote! {
        #private::Function {
            name: #name,
            title: #title,
            description: #description,
            kind: #private::Kind::#kind,
            hints: [#(#hints),*],
            timeout_ms: #timeout,
            parameters: &[#(#params),*],
            icons: &[#(#icons),*],
            meta: &[#(#meta),*],
            scopes: &[#(#scopes),*],
            task: #task,
        }
    }
}

fn parameter(param: &Param<'_>, is_text: bool, private: &TokenStream) -> TokenStream {
    let Param { name, description, arg, .. } = param;
    let ArgArgs { rules, examples, header, is_secret, is_lenient, .. } = arg;
    let examples = (!examples.is_empty()).then(|| ("examples", quote!([#(#examples),*])));
    let is_lenient = *is_lenient || is_text;
    let header = header.as_ref().map(|header| ("x-mcp-header", quote!(#header)));
    let default = arg.literal_default().map(|default| ("default", sized(quote!(#default))));
    let rules = rules.iter().map(|(keyword, value)| (*keyword, sized(quote!(#value))));
    let rules = rules.chain(default).chain(examples).chain(header).map(|(keyword, value)| {
        quote!(#private::Rule { keyword: #keyword, value: || #private::serde_json::json!(#value) })
    });
    quote! {
        #private::Parameter {
            name: #name,
            description: #description,
            rules: &[#(#rules),*],
            is_secret: #is_secret,
            is_lenient: #is_lenient,
        }
    }
}
