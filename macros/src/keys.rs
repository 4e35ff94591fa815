//! Keys and values between the parentheses of an attribute.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, ExprLit, ExprUnary, Ident, Lit, LitBool, Path, Result, Token, UnOp};

use crate::complaints::Complaints;

const TOO_LARGE: &str = "a number of JSON is at least -2^63 and less than 2^64";

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
/// becomes JSON, and to those of calculations, whose results may be. Each value in an array or an
/// object becomes JSON by itself; anything else is code, in which Rust finds the types.
pub(crate) fn sized(json: TokenStream) -> TokenStream {
    let tokens: Vec<_> = json.into_iter().collect();
    match &*tokens {
        // Neither an array of JSON nor an object has a `;`, as in `[0; 3]`.
        [TokenTree::Group(code)] if has_semicolon(code) => {
            Group::new(Delimiter::Parenthesis, code.to_token_stream()).into_token_stream()
        }
        [TokenTree::Literal(number)] => sized_number(number, false).into(),
        [minus @ TokenTree::Punct(sign), TokenTree::Literal(number)] if sign.as_char() == '-' => {
            [minus.clone(), sized_number(number, true)].into_iter().collect()
        }
        [TokenTree::Group(group)] => {
            let mut sized = Group::new(group.delimiter(), sized_values(group.stream()));
            sized.set_span(group.span());
            TokenTree::from(sized).into()
        }
        [] => TokenStream::new(),
        [first, ..] => match calculation(&tokens) {
            Some(result) => {
                let span = Span::mixed_site().located_at(first.span());
                // `cargo check` evaluates items, and not the blocks of `const`.
                quote_spanned!(span=> ({
                    const IT: i128 = #result;
                    const _: () = ::core::assert!(-(1 << 63) <= IT && IT < (1 << 64), #TOO_LARGE);
                    IT
                }))
            }
            None => tokens.into_iter().collect(),
        },
    }
}

fn has_semicolon(group: &Group) -> bool {
    let is_one = |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    group.stream().into_iter().any(is_one)
}

/// A calculation with integers that have no type, in `i128`, which has all integers of JSON; `None`
/// for any other code.
fn calculation(tokens: &[TokenTree]) -> Option<TokenStream> {
    let typed = tokens.iter().map(|token| {
        let mut typed = match token {
            TokenTree::Punct(_) => token.clone(),
            TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
                Lit::Int(number) if number.suffix().is_empty() => {
                    Literal::i128_suffixed(number.base10_parse().ok()?).into()
                }
                _ => return None,
            },
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let inner: Vec<_> = group.stream().into_iter().collect();
                Group::new(group.delimiter(), calculation(&inner)?).into()
            }
            _ => return None,
        };
        typed.set_span(token.span());
        Some(typed)
    });
    typed.collect()
}

/// What stands between commas and colons.
fn sized_values(tokens: TokenStream) -> TokenStream {
    let (mut all, mut value) = (TokenStream::new(), TokenStream::new());
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if ",:".contains(punct.as_char()) => {
                all.extend(sized(std::mem::take(&mut value)));
                all.extend([token]);
            }
            _ => value.extend([token]),
        }
    }
    all.extend(sized(value));
    all
}

fn sized_number(literal: &Literal, is_negative: bool) -> TokenTree {
    let typed = match Lit::new(literal.clone()) {
        Lit::Int(number) if number.suffix().is_empty() => {
            let is_small = number.base10_parse::<i32>().is_ok();
            let is_signed = is_negative || number.base10_parse::<i64>().is_ok();
            let suffix = if is_signed { "i64" } else { "u64" };
            let typed = format!("{}{suffix}", number.base10_digits()).parse::<Literal>();
            typed.ok().filter(|_| !is_small)
        }
        _ => None,
    };
    let mut typed = typed.unwrap_or_else(|| literal.clone());
    typed.set_span(literal.span());
    typed.into()
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
