//! What is said of a prompt or a resource besides its function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::args::ToolArgs;
use crate::model::{Param, Tool};

/// Calls of methods of `Prompt` or `Resource`. `this` is the variable that has the value of a
/// method in an `Arc`.
pub(crate) fn settings(tool: &Tool<'_>, this: Option<&Ident>) -> TokenStream {
    let Tool { args, krate, params, .. } = tool;
    let private = quote!(#krate::__private);
    let mime = args.mime.iter().map(|mime| quote!(.with_mime_type(#mime)));
    let size = args.size.iter().map(|size| quote!(.with_size(#size)));
    let caching = (args.ttl.is_some() || args.cache_scope.is_some()).then(|| {
        let private_scope = || Ident::new("private", Span::call_site());
        let (scope, ttl) = (args.cache_scope.clone(), args.ttl.unwrap_or(0));
        let scope = scope.unwrap_or_else(private_scope);
        quote!(.with_caching(#private::Caching::#scope(::core::time::Duration::from_millis(#ttl))))
    });
    let annotations = annotations(args, &private);
    let completers = params.iter().filter_map(|param| completer(param, this, &private));
    quote!(#(#mime)* #(#size)* #caching #annotations #(#completers)*)
}

/// For whom a resource is, how important, and when it was last changed.
fn annotations(args: &ToolArgs, private: &TokenStream) -> Option<TokenStream> {
    let ToolArgs { audience, priority, last_modified, .. } = args;
    let audience =
        audience.iter().map(|readers| quote!(.audience([#(#private::Reader::#readers),*])));
    let priority = priority.iter().map(|priority| quote!(.priority(#priority)));
    let last_modified = last_modified.iter().map(|time| quote!(.last_modified(#time)));
    let set: Vec<_> = audience.chain(priority).chain(last_modified).collect();
    let all = quote!(#private::Annotations::default() #(#set)*);
    (!set.is_empty()).then(|| quote!(.with_annotations(#all)))
}

/// What completes a parameter. A function of the block's type gets the value first.
fn completer(
    param: &Param<'_>,
    this: Option<&Ident>,
    private: &TokenStream,
) -> Option<TokenStream> {
    let (name, function) = (&param.name, param.arg.complete.as_ref()?);
    let is_method = function.path.segments.first().is_some_and(|first| first.ident == "Self");
    let this = this.filter(|_| is_method);
    let value = this.map(|this| quote!(&#this,));
    let shared = this.map(|this| quote!(let #this = ::core::clone::Clone::clone(&#this);));
    let span = Span::mixed_site().located_at(function.span());
    let [typed, at] = ["typed", "at"].map(|name| Ident::new(name, span));
    let found =
        quote_spanned!(function.span()=> #private::found(#function(#value &#typed, &#at)).await);
    Some(quote! {
        .complete(#name, {
            #shared
            move |#typed: ::std::string::String, #at: #private::Completing| {
                #shared
                async move { #found }
            }
        })
    })
}
