//! The mistakes in a function that cannot be a tool. Each has one message, on the wrong token, that
//! names what to write instead.

mod header;
mod kind;
mod name;
mod result;

use quote::ToTokens;
use syn::{Attribute, Error, FnArg, GenericParam, Generics, Lifetime, Receiver, Safety, Type};

use crate::arg::ArgArgs;
use crate::args::ToolArgs;
use crate::complaints::Complaints;
use crate::item::Item;
use crate::lent::{
    Passing, has_impl, has_reference, inside, is_named, owned, passing, peeled, references,
};
use crate::noun::Noun;
use crate::passed;
use header::check_headers;
use kind::check_kind;
use name::{check_name, hidden_primitive, hides_primitive};
use result::check_result;

const LIFETIME: &str = "a tool has no lifetime parameters: the call owns what it lends, so write \
    `&str` without one";
const GENERIC: &str = "a tool has no generic parameters: write one function for each type";
const UNSAFE: &str = "a tool cannot be unsafe, as no client promises anything: put `unsafe { … }` into \
    a safe function";
const TWICE: &str = "`#[tool]` is given twice: put all keys into one";
const NOUNS: &str = "this function is a tool already: put the attribute on another one";
const BODY: &str = "a tool needs a body: put `#[tool]` on a function that has one";
const RECEIVER: &str = "a method is a tool inside of `#[toolset] impl … { … }`: put `#[toolset]` on \
    its block, or take `State<T>` in a free function";
const INLINE: &str =
    "`inline` is for plain functions: an `async` one runs on the serving loop anyway";
const INLINE_TASK: &str = "an `inline` function is done before its call can go on as a task: remove \
    `inline`, or `task`";
const CFG: &str = "a tool's parameters are the same under every configuration: put `#[cfg]` on \
    two functions";
const UNREAD: &str = "on a parameter means nothing to #[tool]: it reads doc comments, `#[arg]`, \
    `#[serde]` and `#[schemars]`";
const LENT: &str = "the call owns what it lends: write the reference without a lifetime";
const MUTABLE: &str = "a tool cannot borrow mutably: take the value itself";
const IMPL: &str = "a tool's schema needs a type: write it instead of `impl`";
const UNSIZED: &str =
    "a parameter has a known size: borrow it with `&`, or take a `String` or `Vec`";
const NESTED: &str = "a reference inside of this type cannot be lent: take ";
const BORROWED: &str = "a default is for a type that owns its value: take ";
const OPTION: &str = "an `Option` is `None` if the argument is absent: take the type inside of it";

/// False where a type beside the function causes further errors: in a trait or an `impl` block, and
/// if it hides another type.
pub(crate) fn may_have_type(item: &Item) -> bool {
    item.has_body() && !item.has_receiver() && !hides_primitive(item)
}

/// Where a tool is written.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// On a function, which gets a type of the same name beside it.
    Alone,
    /// In a toolset. The function says why a tool cannot have this receiver.
    InToolset(fn(&Receiver) -> Option<&'static str>),
}

/// All mistakes at once.
pub(crate) fn check(args: &ToolArgs, item: &Item, place: Place) -> Option<Error> {
    let mut complaints = Complaints { noun: args.noun, all: None };
    let sig = &item.sig;
    for attr in &item.repeated {
        let is_same = Noun::of(attr) == Some(args.noun);
        complaints.add(attr, if is_same { TWICE } else { NOUNS });
    }
    if !item.has_body() {
        // What is wrong with it as a function does not matter then.
        complaints.add(&sig.ident, BODY);
        return complaints.all;
    }
    match sig.generics.params.first() {
        Some(lifetime @ GenericParam::Lifetime(_)) => complaints.add(lifetime, LIFETIME),
        Some(param) => complaints.add(param, GENERIC),
        None => {}
    }
    if let Safety::Unsafe(token) = &sig.safety {
        complaints.add(token, UNSAFE);
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                let refusal = match place {
                    Place::Alone => Some(RECEIVER),
                    Place::InToolset(refusal) => refusal(receiver),
                };
                refusal.iter().for_each(|refusal| complaints.add(receiver, refusal));
            }
            FnArg::Typed(param) => {
                check_attrs(&param.attrs, &mut complaints);
                check_arg(&param.attrs, peeled(&param.ty), &mut complaints);
                check_type(peeled(&param.ty), &sig.generics, &mut complaints);
            }
        }
    }
    check_headers(&sig.inputs, &mut complaints);
    check_kind(args, item, &mut complaints);
    check_result(sig, &mut complaints);
    if let (Some(inline), Some(_)) = (&args.inline, sig.asyncness) {
        complaints.push(Error::new(*inline, INLINE));
    }
    if let (Some(inline), Some(_), None) = (&args.inline, &args.task, sig.asyncness) {
        complaints.push(Error::new(*inline, INLINE_TASK));
    }
    if let (Place::Alone, true) = (place, hides_primitive(item)) {
        complaints.push(hidden_primitive(item, args.noun));
    }
    check_name(args, item, &mut complaints);
    complaints.all
}

fn check_attrs(attrs: &[Attribute], complaints: &mut Complaints) {
    for attr in attrs {
        if attr.path().is_ident("cfg") {
            complaints.add(attr, CFG);
        } else if let Some(conditional) = Item::conditional(&attr.meta) {
            complaints.add(conditional.path(), CFG);
        } else if passed::is_passed(attr) {
            passed::check(attr).into_iter().for_each(|error| complaints.push(error));
        } else if Item::is_for_macros(attr.path())
            && !["arg", "doc"].iter().any(|known| attr.path().is_ident(known))
        {
            let name = attr.path().to_token_stream();
            let error = format!("`#[{name}]` {}", complaints.noun.said(UNREAD));
            complaints.push(Error::new_spanned(attr, error));
        }
    }
}

fn check_arg(attrs: &[Attribute], ty: &Type, complaints: &mut Complaints) {
    let (args, error) = ArgArgs::parse(attrs);
    if let Some(error) = error {
        complaints.push(error);
    }
    if let Some(name) = args.rename.filter(|name| name.value().is_empty()) {
        complaints.add(&name, "an argument has a name: write it, or remove `rename`");
    }
    let is_passed = attrs.iter().any(passed::is_passed);
    let how = passing(ty).0;
    let message = match how {
        // With `deserialize_with` only a default makes it optional.
        _ if matches!(inside(ty), Some((Passing::Option, _))) && !is_passed => OPTION.to_owned(),
        Passing::Option | Passing::Vec | Passing::Slice => {
            format!("{BORROWED}{}", written(&owned(ty)))
        }
        _ => String::new(),
    };
    if let Some(default) = args.default.filter(|_| !message.is_empty()) {
        complaints.push(Error::new_spanned(default, message));
    }
    if is_passed && !matches!(how, Passing::Value | Passing::Reference) {
        complaints.push(Error::new_spanned(ty, format!("{NESTED}{}", written(&owned(ty)))));
    }
}

fn check_type(ty: &Type, generics: &Generics, complaints: &mut Complaints) {
    // A lifetime parameter has its own message already.
    let known = |it: &Lifetime| generics.lifetimes().any(|param| param.lifetime == *it);
    for reference in references(ty) {
        if reference.mutability.is_some() {
            return complaints.add(reference, MUTABLE);
        }
        if let Some(lifetime) = reference.lifetime.as_ref().filter(|it| !known(it)) {
            return complaints.add(lifetime, LENT);
        }
    }
    if has_impl(ty) {
        return complaints.add(ty, IMPL);
    }
    if Item::is_unsized(ty) {
        return complaints.add(ty, UNSIZED);
    }
    let (_, inner) = passing(ty);
    // Nothing lends what is in the server's values.
    let is_state = is_named(inside(inner).map_or(inner, |(_, inner)| inner), "State");
    if !is_state && has_reference(inner.to_token_stream()) {
        complaints.push(Error::new_spanned(ty, format!("{NESTED}{}", written(&owned(ty)))));
    }
}

/// A type as people write it.
fn written(ty: &Type) -> String {
    let tokens = ty.to_token_stream();
    match has_reference(tokens.clone()) {
        true => "a type of your own without references".to_owned(),
        false => {
            let written = tokens.to_string().replace(' ', "").replace(',', ", ").replace(';', "; ");
            let modules = ["::std::string::", "::std::vec::", "::std::path::"];
            format!("`{}`", modules.iter().fold(written, |text, module| text.replace(module, "")))
        }
    }
}
