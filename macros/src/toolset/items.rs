//! What stands beside the block.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{WherePredicate, parse_quote, parse_quote_spanned};

use super::args::ToolsetArgs;
use super::block::Block;
use super::method::Names;

/// The implementation of `Toolset`; for a group, the function that this calls.
pub(super) fn items(
    block: &Block,
    args: &ToolsetArgs,
    Names { this, tools }: &Names,
    statements: &[TokenStream],
) -> TokenStream {
    let ToolsetArgs { groups, krate, .. } = args;
    let private = quote!(#krate::__private);
    let Block { generics, self_ty, .. } = block;
    let groups = groups.iter().map(function_of);
    let (in_impl, _, written) = generics.split_for_impl();
    let written = written.map(|it| it.predicates.iter());
    let owned = generics.type_params().map(|param| &param.ident);
    let owned = owned.map(|ident| parse_quote!(#ident: 'static));
    let own: WherePredicate = parse_quote_spanned! {self_ty.span()=>
        Self: ::core::marker::Send + ::core::marker::Sync + 'static
    };
    let bounds: Vec<WherePredicate> = [own].into_iter().chain(owned).collect();
    let written = written.into_iter().flatten();
    let body = quote! {
        #(#statements)*
        #(Self::#groups(#this, #tools);)*
    };
    let Some(group) = &args.group else {
        return quote! {
            #[automatically_derived]
            #[allow(unused_variables, deprecated, clippy::all, clippy::pedantic)]
            impl #in_impl #private::OneBlockWithoutGroup for #self_ty where #(#written,)* #(#bounds,)* {
                fn tools(#this: &#private::Arc<Self>, #tools: &mut #private::Members) {
                    #body
                }
            }
        };
    };
    let (name, listed) = (function_of(group), group.unraw().to_string());
    // The compiler warns of dead code only where it is not all of a macro.
    let function = quote_spanned! {group.span()=>
        pub(crate) fn #name(#this: &#private::Arc<Self>, #tools: &mut #private::Members)
        where
            #(#bounds,)*
        {
            // Groups may list each other.
            if #tools.begins(#listed) {
                #body
            }
        }
    };
    quote! {
        #[allow(unused_variables, deprecated, clippy::all, clippy::pedantic)]
        impl #in_impl #self_ty where #(#written,)* {
            #[doc(hidden)]
            #function
        }
    }
}

/// The function of a group. If no block lists the group, the compiler warns that nobody uses this
/// function.
fn function_of(group: &Ident) -> Ident {
    // As an argument, so that `r#` does not become a part of the name.
    format_ident!("tools_of_{}", group, span = group.span())
}
