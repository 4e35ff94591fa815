//! What a tool cannot be, each said once, on the token at fault, with what to write instead.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, FnArg, Type};

use crate::args::ToolArgs;
use crate::item::Item;

/// All complaints at once.
pub(crate) fn check(args: &ToolArgs, item: &Item) -> Option<Error> {
    let mut complaints = Complaints::default();
    let sig = &item.sig;
    if let Some(param) = sig.generics.params.first() {
        complaints.add(param, "a tool has no generic parameters: write one function for each type, and `&str` without a lifetime");
    }
    if let Some(variadic) = &sig.variadic {
        complaints.add(variadic, "a tool has a fixed number of parameters");
    }
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => {
                complaints.add(receiver, "a tool is a free function; methods that share state need an attribute on their impl block");
            }
            FnArg::Typed(param) => check_type(&param.ty, &mut complaints),
        }
    }
    if let (Some(inline), Some(_)) = (&args.inline, sig.asyncness) {
        complaints.push(Error::new(*inline, "`inline` is for plain functions: an `async` one runs on the serving loop anyway"));
    }
    if let Some(name) = &args.name {
        let text = name.value();
        if text.is_empty() || text.len() > 128 || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) {
            complaints.push(Error::new(name.span(), "a tool's name has 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.`"));
        }
    }
    complaints.0
}

fn check_type(ty: &Type, complaints: &mut Complaints) {
    let inner = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => {
            return complaints.add(ty, "a tool cannot borrow mutably: take the value itself");
        }
        Type::Reference(reference) if reference.lifetime.is_some() => {
            return complaints.add(&reference.lifetime, "the call owns what it lends: write the reference without a lifetime");
        }
        Type::Reference(reference) => &*reference.elem,
        Type::ImplTrait(_) => return complaints.add(ty, "a tool's schema needs a type: write it instead of `impl`"),
        ty => ty,
    };
    if has_reference(inner.to_token_stream()) {
        complaints.add(ty, "a reference inside another type cannot be lent: own it, such as `Option<String>` for `Option<&str>`");
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
