//! The start of a call: decodes the arguments and calls the function.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident};

use crate::arg::is_text;
use crate::model::{Param, Tool};

/// The value that a method belongs to.
pub(crate) struct This {
    /// The variable that has it, in an `Arc`.
    pub(crate) name: Ident,
    /// False if the method takes the `Arc`.
    pub(crate) by_ref: bool,
}

/// A closure from the input of a decoder to the work. `callee` is what it calls, with `this` as
/// first argument.
pub(crate) fn start(tool: &Tool<'_>, callee: &TokenStream, this: Option<&This>) -> TokenStream {
    let Tool { krate, is_async, params, returns, .. } = tool;
    let private = quote!(#krate::__private);
    let slots = params.iter().map(|param| slot(param, &private));
    let taken: Vec<_> = params.iter().map(|param| &param.slot).collect();
    let values = params.iter().map(|Param { slot, by_ref, .. }| {
        if *by_ref { quote!(#private::Lend::lend(&#slot)) } else { quote!(#slot) }
    });
    let (moved, shared) = match this {
        Some(This { name, .. }) => {
            (Some(quote!(move)), Some(quote!(let #name = ::core::clone::Clone::clone(&#name);)))
        }
        None => (None, None),
    };
    let this =
        this.map(|This { name, by_ref }| if *by_ref { quote!(&#name) } else { quote!(#name) });
    let values = this.into_iter().chain(values);
    let awaited = is_async.then(|| quote!(.await));
    let input = quote_spanned!(Span::mixed_site()=> input);
    let returned = quote_spanned!(Span::mixed_site()=> returned);
    let returns = quote_spanned!(returns.span()=> #input.returns::<#returns, _>());
    quote! {
        #moved |#input| {
            #[allow(unused_imports)]
            use #private::{HasBoxedCauses as _, HasCauses as _, HasNoOutput as _};
            #[allow(unused_imports)]
            use #private::{HasNoPlace as _, HasOutput as _, HasPlace as _};
            #returns;
            #(#slots)*
            #private::decode(#input, &mut [#(#private::Place::slot(&mut #taken)),*])?;
            #(let #taken = #private::Place::take(#taken);)*
            #shared
            #private::work(async move {
                let #returned = #callee(#(#values),*)#awaited;
                #private::ended((&&&&#private::probe(&#returned)).output(#returned))
            })
        }
    }
}

/// Names the parameter's type. No other generated code does, so a type that cannot be an argument
/// causes one error, on the type.
fn slot(param: &Param<'_>, private: &TokenStream) -> TokenStream {
    let Param { ty, by_ref, slot, arg, .. } = param;
    let how = if *by_ref { quote!(by_ref) } else { quote!(by_value) };
    let place = quote!((&#private::#how::<#ty, _>()).place());
    let Some(default) = &arg.default else { return quote!(let mut #slot = #place;) };
    // The place decides the type of a number. Text, arrays and what a reference lends are converted.
    let is_literal = arg.literal_default().is_some();
    let is_exact = match default {
        Expr::Array(_) => false,
        _ if is_literal => !is_text(default),
        _ => !by_ref,
    };
    let or = Ident::new(if is_exact { "or" } else { "or_from" }, Span::mixed_site());
    let shown = (!is_literal).then(|| {
        quote! {
            {
                #[allow(unused_imports)]
                use #private::{HasNoJson as _, HasJson as _};
                (&mut #slot).show();
            }
        }
    });
    let or = quote_spanned!(default.span()=> .#or(|| #default));
    quote!(let mut #slot = #place #or; #shown)
}
