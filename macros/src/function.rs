//! The constant that describes the function.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Param, Tool};

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
    let params = params.iter().map(|Param { name, description, .. }| {
        quote!(#private::Parameter { name: #name, description: #description })
    });
    let icons = &args.icons;
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
        }
    }
}
