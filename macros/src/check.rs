//! The mistakes in a function that cannot be a tool. Each has one message, on the wrong token, that
//! names what to write instead.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Error, FnArg, GenericParam, Generics, Lifetime, ReturnType, Safety, Type};

use crate::arg::ArgArgs;
use crate::args::ToolArgs;
use crate::item::Item;
use crate::model::peeled;

const LIFETIME: &str = "a tool has no lifetime parameters: the call owns what it lends, so write \
    `&str` without one";
const GENERIC: &str = "a tool has no generic parameters: write one function for each type";
const UNSAFE: &str = "a tool cannot be unsafe: nobody could promise what its caller has to";
const RECEIVER: &str = "a tool is a free function: keep what calls share in a `static`, or let a \
    closure capture it with `Tool::new`";
const INLINE: &str =
    "`inline` is for plain functions: an `async` one runs on the serving loop anyway";
const NAME: &str = "a tool's name has 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`";
const RENAME: &str = ": give this one another by `#[tool(name = \"…\")]`";
const CFG: &str = "a tool's parameters are the same under every configuration: put `#[cfg]` on \
    two functions";
const UNREAD: &str = "on a parameter means nothing to #[tool]: it reads doc comments and types";
const LENT: &str = "the call owns what it lends: write the reference without a lifetime";
const MUTABLE: &str = "a tool cannot borrow mutably: take the value itself";
const IMPL: &str = "a tool's schema needs a type: write it instead of `impl`";
const NESTED: &str = "a reference inside another type cannot be lent: own it, such as \
    `Option<String>` for `Option<&str>`";
const OPTION: &str = "an `Option` is `None` if the argument is absent: take the type inside of it";

/// All mistakes at once.
pub(crate) fn check(args: &ToolArgs, item: &Item) -> Option<Error> {
    let mut complaints = Complaints::default();
    let sig = &item.sig;
    match sig.generics.params.first() {
        Some(lifetime @ GenericParam::Lifetime(_)) => complaints.add(lifetime, LIFETIME),
        Some(param) => complaints.add(param, GENERIC),
        None => {}
    }
    if let Some(variadic) = &sig.variadic {
        complaints.add(variadic, "a tool has a fixed number of parameters");
    }
    if let Safety::Unsafe(token) = &sig.safety {
        complaints.add(token, UNSAFE);
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => complaints.add(receiver, RECEIVER),
            FnArg::Typed(param) => {
                check_attrs(&param.attrs, &mut complaints);
                check_arg(&param.attrs, peeled(&param.ty), &mut complaints);
                check_type(peeled(&param.ty), &sig.generics, &mut complaints);
            }
        }
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && matches!(peeled(ty), Type::ImplTrait(_))
    {
        complaints.add(ty, "a tool's result needs a type: write it instead of `impl`");
    }
    if let (Some(inline), Some(_)) = (&args.inline, sig.asyncness) {
        complaints.push(Error::new(*inline, INLINE));
    }
    let (name, span) = match &args.name {
        Some(name) => (name.value(), name.span()),
        None => (sig.ident.unraw().to_string(), sig.ident.span()),
    };
    if !(1..=128).contains(&name.len())
        || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    {
        let hint = if args.name.is_none() { RENAME } else { "" };
        complaints.push(Error::new(span, format!("{NAME}{hint}")));
    }
    complaints.0
}

fn check_attrs(attrs: &[Attribute], complaints: &mut Complaints) {
    for attr in attrs {
        if attr.path().is_ident("cfg") {
            complaints.add(attr, CFG);
        } else if Item::is_for_macros(attr)
            && !["arg", "doc"].iter().any(|known| attr.path().is_ident(known))
        {
            let name = attr.path().to_token_stream();
            complaints.add(attr, &format!("`#[{name}]` {UNREAD}"));
        }
    }
}

fn check_arg(attrs: &[Attribute], ty: &Type, complaints: &mut Complaints) {
    let (args, error) = ArgArgs::parse(attrs);
    if let Some(error) = error {
        complaints.push(error);
    }
    if let Some(name) = args.rename.filter(|name| name.value().is_empty()) {
        complaints.add(&name, "an argument has a name");
    }
    let is_option = match ty {
        Type::Path(ty) => ty.path.segments.last().is_some_and(|last| last.ident == "Option"),
        _ => false,
    };
    if let Some(default) = args.default.filter(|_| is_option) {
        complaints.add(&default, OPTION);
    }
}

fn check_type(ty: &Type, generics: &Generics, complaints: &mut Complaints) {
    let inner = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            return complaints.add(ty, MUTABLE);
        }
        Type::Reference(reference) => {
            // A lifetime parameter has its own message already.
            let known = |it: &Lifetime| generics.lifetimes().any(|param| param.lifetime == *it);
            if let Some(lifetime) = reference.lifetime.as_ref().filter(|it| !known(it)) {
                return complaints.add(lifetime, LENT);
            }
            &*reference.elem
        }
        Type::ImplTrait(_) => {
            return complaints.add(ty, IMPL);
        }
        ty => ty,
    };
    if has_reference(inner.to_token_stream()) {
        complaints.add(ty, NESTED);
    }
}

fn has_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '&',
        TokenTree::Group(group) => has_reference(group.stream()),
        _ => false,
    })
}

#[derive(Default)]
struct Complaints(Option<Error>);

impl Complaints {
    fn add(&mut self, tokens: &dyn ToTokens, message: &str) {
        self.push(Error::new_spanned(tokens, message));
    }

    fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }
}
