//! The start of a call: decodes the arguments and calls the function.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Path};

use crate::args::ToolArgs;
use crate::keys::literal_text;
use crate::lent::Passing;
use crate::model::{Param, Tool};
use crate::noun::Noun;
use crate::passed::Passed;

/// The value that a method belongs to.
pub(crate) struct This {
    /// The variable that has it, in an `Arc`.
    pub(crate) name: Ident,
    /// False if the method takes the `Arc`.
    pub(crate) by_ref: bool,
}

/// The code from the input of a decoder to the work. `callee` is what it calls, with `this` as
/// first argument.
pub(crate) fn start(
    tool: &Tool<'_>,
    input: &Ident,
    callee: &TokenStream,
    this: Option<&This>,
) -> TokenStream {
    let Tool { args, krate, is_async, params, returns, .. } = tool;
    let private = quote!(#krate::__private);
    let slots = params.iter().map(|param| slot(param, krate));
    let mut roles = roles(params, &private);
    roles.extend(texts(args, params, &private));
    let filled = filled(params, input, &private);
    let values = params.iter().map(|Param { slot, passing, passed, .. }| match (passing, passed) {
        (Passing::Reference, Some(_)) => quote!(&#slot.0),
        (_, Some(_)) => quote!(#slot.0),
        (Passing::Value, _) => quote!(#slot),
        (Passing::Reference, _) => quote!(#private::Lend::lend(&#slot)),
        (Passing::Option | Passing::Vec, _) => quote!(#slot.lend()),
        (Passing::Slice, _) => quote!(&#slot.lend()),
    });
    let shared =
        this.map(|This { name, .. }| quote!(let #name = ::core::clone::Clone::clone(&#name);));
    let this =
        this.map(|This { name, by_ref }| if *by_ref { quote!(&#name) } else { quote!(#name) });
    let values = this.into_iter().chain(values);
    let awaited = is_async.then(|| quote!(.await));
    let returned = quote_spanned!(Span::mixed_site()=> returned);
    let module = args.noun.module(&private);
    let returns = match args.noun {
        Noun::Tool => quote_spanned!(returns.span()=> #input.returns::<#returns, _>()),
        _ => quote_spanned!(returns.span()=> #module::returns::<#returns, _>()),
    };
    // What keeps the future from being `Send` is in the function, so the error is at its name.
    let span = Span::mixed_site().located_at(tool.ident.span());
    let mut body = Group::new(
        Delimiter::Brace,
        quote! {
            let #returned = #callee(#(#values),*)#awaited;
            (&&&&&#private::Probe([&raw const #returned; 0])).ended(#returned)
        },
    );
    body.set_span(span);
    let work = quote_spanned!(span=> __toolwright_work(async move #body));
    quote! {
        #[allow(unused_imports)]
        use #module::{
            HasBoxedCauses as _, HasCauses as _, HasErrorObject as _, HasNoOutput as _,
            HasOutput as _,
        };
        #[allow(unused_imports)]
        use #private::{HasNoPlace as _, HasPlace as _, work as __toolwright_work};
        #returns;
        #(#slots)*
        #(#roles)*
        #filled
        #shared
        #work
    }
}

/// Decodes the arguments. Tools with the same types of parameters share a function for that, up to
/// as many parameters as tuples in the library have.
fn filled(params: &[Param<'_>], input: &Ident, private: &TokenStream) -> TokenStream {
    const MOST: usize = 12;
    let slots: Vec<_> = params.iter().map(|param| &param.slot).collect();
    if slots.len() > MOST {
        return quote! {
            #private::decode(#input, &mut [#(#private::Place::slot(&mut #slots)),*])?;
            #(let #slots = #private::Place::take(#slots);)*
        };
    }
    // For `?` the compiler generates more code.
    quote! {
        let (#(#slots,)*) = match #private::Places::filled((#(#slots,)*), #input) {
            ::core::result::Result::Ok(values) => values,
            ::core::result::Result::Err(error) => return ::core::result::Result::Err(error),
        };
    }
}

/// Names the parameter's type. No other generated code does, so a type that cannot be an argument
/// causes one error, on the type.
fn slot(param: &Param<'_>, krate: &Path) -> TokenStream {
    let Param { ty, passing, slot, arg, passed, .. } = param;
    let private = quote!(#krate::__private);
    let (definition, place) = match passed {
        Some(passed) => {
            let name = &passed.name;
            (Some(passed.definition(krate)), quote!((&#private::by_value::<#name, _>()).place()))
        }
        None => {
            let how = match passing {
                Passing::Value => quote!(by_value),
                Passing::Reference => quote!(by_ref),
                Passing::Option => quote!(by_option),
                Passing::Vec | Passing::Slice => quote!(by_list),
            };
            (None, quote!((&#private::#how::<#ty, _>()).place()))
        }
    };
    let place = quote!(#definition #[allow(unused_mut)] let mut #slot = #place);
    let Some(default) = &arg.default else { return quote!(#place;) };
    let is_literal = arg.literal_default().is_some();
    let by_ref = *passing == Passing::Reference;
    // The place decides the type of a number. Text, arrays and what a reference lends are
    // converted.
    let is_converted = match default {
        Expr::Array(_) => true,
        _ if is_literal => literal_text(default).is_some(),
        _ => by_ref && !arg.is_of_type,
    };
    if let Some(Passed { name, .. }) = passed {
        let value = match is_converted {
            true => quote_spanned!(default.span()=> ::core::convert::Into::into(#default)),
            false => quote!(#default),
        };
        return quote!(#place.or(|| #name(#value)););
    }
    let or = Ident::new(if is_converted { "or_from" } else { "or" }, Span::mixed_site());
    let or = quote_spanned!(default.span()=> .#or(|| #default));
    let shown = (!is_literal).then(|| {
        quote! {
            {
                #[allow(unused_imports)]
                use #private::{HasJson as _, HasNoJson as _};
                (&mut #slot).show();
            }
        }
    });
    quote!(#place #or; #shown)
}

/// The parameters of a prompt and of a resource are texts, or come from the call.
fn texts(args: &ToolArgs, params: &[Param<'_>], private: &TokenStream) -> Vec<TokenStream> {
    let text = |param: &Param<'_>| {
        let span = Span::mixed_site().located_at(param.ty.span());
        let slot = Ident::new(&param.slot.to_string(), span);
        Some(match args.noun {
            Noun::Tool => return None,
            Noun::Prompt => quote_spanned!(span=> #private::of_prompt(&#slot);),
            Noun::Resource if args.variables.contains(&param.name) => {
                quote_spanned!(span=> #private::of_variable(&#slot);)
            }
            Noun::Resource => quote_spanned!(span=> #private::beside_uri(&#slot);),
        })
    };
    params.iter().filter_map(text).collect()
}

/// What the types of the parameters decide: whether one may have no name, may have `#[arg]`, or may
/// stand beside `Args`.
fn roles(params: &[Param<'_>], private: &TokenStream) -> Vec<TokenStream> {
    let mut roles = Vec::new();
    let located = |param: &Param<'_>, span: Span| {
        let span = Span::mixed_site().located_at(span);
        (span, Ident::new(&param.slot.to_string(), span))
    };
    for (at, param) in params.iter().enumerate() {
        if let Some(span) = param.arg.span {
            let (span, slot) = located(param, span);
            roles.push(quote_spanned!(span=> #private::argument(&#slot);));
        }
        if param.is_nameless {
            let (span, slot) = located(param, param.span);
            roles.push(quote_spanned!(span=> #private::nameless(&#slot);));
        }
        // Of two that are written as `Args`, the second one is the mistake.
        let others = params.iter().enumerate().filter(|(other_at, other)| {
            param.is_args && if other.is_args { *other_at > at } else { *other_at != at }
        });
        for (_, other) in others {
            let (span, slot) = located(other, other.ty.span());
            let (_, args) = located(param, other.ty.span());
            roles.push(quote_spanned!(span=> #private::beside(&#args, &#slot);));
        }
    }
    roles
}
