//! Keys and values between the parentheses of an attribute.

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprLit, ExprUnary, Ident, Lit, LitBool, Path, Result, Token, UnOp};

use crate::complaints::Complaints;

/// The keys of an attribute that were read so far.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) seen: Vec<Ident>,
    pub(crate) complaints: Complaints,
}

impl Keys {
    /// Reads `key = value, key, …`; `read` reads what stands behind a key. After a mistake it goes
    /// on with the next key, so that the mistake causes no further messages.
    pub(crate) fn read(
        &mut self,
        repeatable: &[&str],
        input: ParseStream<'_>,
        mut read: impl FnMut(&Ident, ParseStream<'_>) -> Result<()>,
    ) -> Result<()> {
        while !input.is_empty() {
            if let Err(error) = self.entry(repeatable, input, &mut read) {
                self.complaints.push(error);
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<TokenTree>()?;
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        repeatable: &[&str],
        input: ParseStream<'_>,
        read: &mut impl FnMut(&Ident, ParseStream<'_>) -> Result<()>,
    ) -> Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected a key: write `key = value`, or `key` for a flag"));
        }
        let key = Ident::parse_any(input)?;
        if self.seen.contains(&key) && !repeatable.iter().any(|name| key == name) {
            let what = format!("`{key}` is given twice: remove one of the two");
            return Err(Error::new(key.span(), what));
        }
        self.seen.push(key.clone());
        read(&key, input)?;
        match input.is_empty() || input.peek(Token![,]) {
            true => Ok(()),
            false => Err(input.error(format!("expected `,` after `{key}` and its value"))),
        }
    }
}

/// What stands behind `=`. `form` says what should.
pub(crate) fn value<T: Parse>(key: &Ident, form: &str, input: ParseStream<'_>) -> Result<T> {
    let is_there = input.parse::<Option<Token![=]>>()?.is_some() && !input.is_empty();
    let (span, parsed) = match is_there {
        true => (input.span(), input.parse().ok()),
        false => (key.span(), None),
    };
    parsed.ok_or_else(|| Error::new(span, format!("`{key}` is {form}")))
}

/// The path of the crate. It stands in `use` items, which have neither `Self` nor generics.
pub(crate) fn krate(key: &Ident, input: ParseStream<'_>) -> Result<Path> {
    struct Module(Path);
    impl Parse for Module {
        fn parse(input: ParseStream<'_>) -> Result<Self> {
            let path = input.call(Path::parse_mod_style)?;
            let is_type = path.segments.iter().any(|segment| segment.ident == "Self");
            if is_type { Err(input.error("a type")) } else { Ok(Self(path)) }
        }
    }
    value::<Module>(key, "a path, as in `crate = my::tools`", input).map(|path| path.0)
}

/// A string, or what can stand for it.
pub(crate) fn text<T: Parse>(key: &Ident, input: ParseStream<'_>) -> Result<T> {
    value(key, &format!("a string: write `{key} = \"…\"`"), input)
}

/// A flag without a value is true.
pub(crate) fn flag(key: &Ident, input: ParseStream<'_>) -> Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    let form = format!("a flag: write `{key}` or `{key} = false`");
    value::<LitBool>(key, &form, input).map(|value| value.value)
}

/// An expression, or else JSON up to a comma.
pub(crate) fn json(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    let value = match ahead.parse::<Expr>() {
        Ok(value) => {
            input.advance_to(&ahead);
            value.into_token_stream()
        }
        // A JSON object is not a Rust expression.
        Err(_) => {
            let mut json = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                json.extend([input.parse::<TokenTree>()?]);
            }
            json
        }
    };
    match value.is_empty() {
        true => Err(input.error("expected a value: an expression or JSON")),
        false => Ok(sized(value)),
    }
}

/// Gives a type to the integers that are too large for `i32`, which Rust takes for a literal that
/// becomes JSON. A type is known where there is anything but JSON, such as a constant.
pub(crate) fn sized(json: TokenStream) -> TokenStream {
    let sized = json.clone().into_iter().map(sized_token).collect::<Option<_>>();
    sized.unwrap_or(json)
}

/// `None` if it is no part of JSON.
fn sized_token(token: TokenTree) -> Option<TokenTree> {
    Some(match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(sized_token).collect::<Option<_>>()?;
            let mut sized = Group::new(group.delimiter(), inner);
            sized.set_span(group.span());
            sized.into()
        }
        TokenTree::Literal(literal) => {
            let number = match Lit::new(literal.clone()) {
                Lit::Int(number) if number.suffix().is_empty() => number.base10_parse().ok(),
                _ => None,
            };
            match number {
                Some(number) if i32::try_from(number).is_err() => {
                    let typed = i64::try_from(number).map(Literal::i64_suffixed);
                    typed.unwrap_or_else(|_| Literal::u64_suffixed(number)).into()
                }
                _ => literal.into(),
            }
        }
        TokenTree::Punct(punct) if "-,:".contains(punct.as_char()) => punct.into(),
        TokenTree::Ident(word) if ["true", "false", "null"].iter().any(|it| word == it) => {
            word.into()
        }
        _ => return None,
    })
}

/// The literal, if the expression is one or a negative one.
pub(crate) fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Group(group) => literal(&group.expr),
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => literal(expr),
        _ => None,
    }
}

/// The text, if the expression is a string.
pub(crate) fn literal_text(expr: &Expr) -> Option<String> {
    match literal(expr)? {
        Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
