//! A method under `#[tool]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Error, FnArg, Lit, Meta};

use super::args::ToolsetArgs;
use super::receiver;
use crate::args::ToolArgs;
use crate::check::{Place, check};
use crate::complaints::combined;
use crate::function::function;
use crate::item::Item;
use crate::model::Tool;
use crate::noun::Noun;
use crate::passed::is_passed;
use crate::settings::settings;
use crate::start::{This, start};

const PASSED: &str = "a parameter with `#[serde]` or `#[schemars]` cannot name a type of its block: \
    put the attribute on a field of a type under `#[data]`, and take that type";
const IN_PASSED: &str = "`#[serde]` and `#[schemars]` on a parameter cannot name what only its \
    block can: write the type's name for `Self`, or use `#[arg]`";
const CONDITIONAL: &str = "put `#[cfg(…)]` on the method, beside `#[tool]`";

/// The variables of the expansion.
pub(super) struct Names {
    pub(super) this: Ident,
    pub(super) tools: Ident,
}

impl Names {
    pub(super) fn new() -> Self {
        let name = |name| Ident::new(name, Span::mixed_site());
        Self { this: name("this"), tools: name("tools") }
    }
}

/// Takes the attributes `#[tool]`, `#[prompt]` and `#[resource]` off a method, and returns the
/// first one. The others are `repeated`; those under a condition are errors.
pub(super) fn mark(item: &mut Item) -> (Option<Attribute>, Vec<Error>) {
    let attrs = std::mem::take(&mut item.attrs).into_iter();
    let (marks, attrs): (Vec<_>, Vec<_>) = attrs.partition(is_tool);
    let (conditional, attrs): (Vec<_>, _) = attrs.into_iter().partition(is_conditional_tool);
    item.attrs = attrs;
    item.repeated.extend(marks);
    let mark = (!item.repeated.is_empty()).then(|| item.repeated.remove(0));
    item.is_marked = mark.is_some() || !conditional.is_empty();
    let conditional = conditional.iter().map(|attr| Error::new_spanned(attr, CONDITIONAL));
    (mark, conditional.collect())
}

/// The statement that adds a method's tool. `of_block` are the types that only the block can name.
pub(super) fn method(
    mark: &Attribute,
    item: &Item,
    set: &ToolsetArgs,
    of_block: &[Ident],
    Names { this, tools }: &Names,
) -> Result<TokenStream, Error> {
    let noun = Noun::of(mark).unwrap_or_default();
    let keys = match &mark.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(_) => {
            return Err(Error::new_spanned(mark, noun.said("write `#[tool(key = value)]`")));
        }
    };
    let (prefix, krate) = (set.prefix.clone(), Some(set.krate.clone()));
    let (args, error) =
        ToolArgs::parse(keys, ToolArgs { noun, prefix, krate, ..ToolArgs::default() });
    let errors = error.into_iter().chain(check(&args, item, Place::InToolset(receiver::refusal)));
    let errors = errors.chain(check_passed(item, of_block));
    if let Some(error) = combined(errors) {
        return Err(error);
    }
    let tool = Tool::new(&args, item);
    let krate = &tool.krate;
    let private = quote!(#krate::__private);
    let ident = tool.ident;
    let cfgs = item.attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
    let receiver = item.sig.receiver();
    let this =
        receiver.map(|receiver| This { name: this.clone(), by_ref: receiver::by_ref(receiver) });
    let shared = this
        .as_ref()
        .map(|This { name, .. }| quote!(let #name = ::core::clone::Clone::clone(#name);));
    let input = Ident::new("input", Span::mixed_site());
    let start = start(&tool, &input, &quote!(Self::#ident), this.as_ref());
    let function = function(&tool);
    let (ty, uri) = (noun.ty(), args.uri.iter());
    let settings = settings(&tool, this.as_ref().map(|this| &this.name));
    let completes = !settings.is_empty();
    let start = match (completes, &this) {
        // The completers have the value too.
        (true, Some(This { name, .. })) => quote! {
            {
                let #name = ::core::clone::Clone::clone(&#name);
                move |#input: &#private::Input<'_>| { #start }
            }
        },
        _ => quote!(move |#input| { #start }),
    };
    Ok(quote! {
        #(#cfgs)*
        {
            #shared
            let made = #private::#ty::of_method(#(#uri,)* const { &#function }, #start) #settings;
            #tools.add(made);
        }
    })
}

/// Each such parameter has a type of its own around it, an item in which those names mean nothing.
fn check_passed(item: &Item, of_block: &[Ident]) -> Vec<Error> {
    let mut errors = Vec::new();
    for input in &item.sig.inputs {
        let FnArg::Typed(param) = input else { continue };
        let mut passed = param.attrs.iter().filter(|attr| is_passed(attr)).peekable();
        if passed.peek().is_some()
            && let Some(place) = named(param.ty.to_token_stream(), of_block)
        {
            errors.push(Error::new(place, PASSED));
        }
        let in_attrs = passed.filter_map(|attr| named(attr.meta.to_token_stream(), of_block));
        errors.extend(in_attrs.map(|place| Error::new(place, IN_PASSED)));
    }
    errors
}

/// Where the first of the names is in the tokens, or in a path that is a string among them.
fn named(tokens: TokenStream, names: &[Ident]) -> Option<Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident).then(|| ident.span()),
        TokenTree::Group(group) => named(group.stream(), names),
        TokenTree::Literal(literal) => match Lit::new(literal) {
            Lit::Str(text) => is_in_path(&text.value(), names).then(|| text.span()),
            _ => None,
        },
        TokenTree::Punct(_) => None,
    })
}

/// True for a text such as `Self::read`. It is not read as tokens: the compiler would report what
/// cannot be one, such as `user's` in a title.
fn is_in_path(text: &str, names: &[Ident]) -> bool {
    let words = || text.split("::");
    let is_word = |word: &str| word.chars().all(|it| it == '_' || it.is_alphanumeric());
    // One word may be prose.
    words().count() > 1
        && words().all(is_word)
        && names.iter().any(|it| words().any(|word| it == word))
}

fn is_tool(attr: &Attribute) -> bool {
    Noun::of(attr).is_some()
}

/// `#[cfg_attr(…, tool)]`, which is not a tool yet when this macro runs.
fn is_conditional_tool(attr: &Attribute) -> bool {
    let Meta::List(list) = &attr.meta else { return false };
    let is_tool = |token| matches!(token, TokenTree::Ident(ident) if Noun::ALL.iter().any(|noun| ident == noun.name()));
    attr.path().is_ident("cfg_attr") && list.tokens.clone().into_iter().any(is_tool)
}
