//! The grammar of `#[tool(…)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitBool, LitInt, LitStr, Path, Result, Token, parenthesized};

const KEYS: &str = "name, title, description, read_only, destructive, idempotent, open_world, \
                    timeout, inline, icon, meta, always_load, search_hint, max_result_chars, crate";

/// The settings of the attribute, as they are written.
#[derive(Default)]
pub(crate) struct ToolArgs {
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    /// In milliseconds.
    pub(crate) timeout: Option<u64>,
    pub(crate) inline: Option<Span>,
    pub(crate) icons: Vec<LitStr>,
    /// Key and value of each entry.
    pub(crate) meta: Vec<(LitStr, TokenStream)>,
    pub(crate) krate: Option<Path>,
}

impl ToolArgs {
    /// Reads the attribute's tokens. After a mistake it keeps what it has read before, so that the
    /// mistake causes no further messages.
    pub(crate) fn parse(tokens: TokenStream) -> (Self, Option<Error>) {
        let mut args = Self::default();
        let mut seen: Vec<String> = Vec::new();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let key = Ident::parse_any(input)?;
                if seen.contains(&key.to_string()) && key != "icon" && key != "meta" {
                    return Err(Error::new(key.span(), format!("`{key}` is given twice")));
                }
                seen.push(key.to_string());
                args.read(&key, input)?;
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        let error = parser.parse2(tokens).err();
        (args, error)
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "name" => self.name = Some(value(input)?),
            "title" => self.title = Some(value(input)?),
            "description" => self.description = Some(value(input)?),
            "read_only" => self.read_only = Some(flag(input)?),
            "destructive" => self.destructive = Some(flag(input)?),
            "idempotent" => self.idempotent = Some(flag(input)?),
            "open_world" => self.open_world = Some(flag(input)?),
            "timeout" => self.timeout = Some(duration(&value(input)?)?),
            "inline" => self.inline = Some(key.span()),
            "icon" => self.icons.push(value(input)?),
            "meta" => {
                let inner;
                parenthesized!(inner in input);
                let entries = Punctuated::<Entry, Token![,]>::parse_terminated(&inner)?;
                self.meta.extend(entries.into_iter().map(|entry| (entry.key, entry.value)));
            }
            "always_load" => {
                let on = flag(input)?;
                self.meta_entry(key, "anthropic/alwaysLoad", &LitBool::new(on, key.span()));
            }
            "search_hint" => {
                let hint: LitStr = value(input)?;
                self.meta_entry(key, "anthropic/searchHint", &hint);
            }
            "max_result_chars" => {
                let most: LitInt = value(input)?;
                self.meta_entry(key, "anthropic/maxResultSizeChars", &most);
            }
            "crate" => self.krate = Some(value(input)?),
            _ => {
                let error = format!("`{key}` is no key of #[tool]; these are: {KEYS}");
                return Err(Error::new(key.span(), error));
            }
        }
        Ok(())
    }

    fn meta_entry(&mut self, key: &Ident, name: &str, value: &dyn ToTokens) {
        self.meta.push((LitStr::new(name, key.span()), value.to_token_stream()));
    }
}

struct Entry {
    key: LitStr,
    value: TokenStream,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: json(input)? })
    }
}

/// An expression or JSON, up to a comma.
pub(crate) fn json(input: ParseStream<'_>) -> Result<TokenStream> {
    let ahead = input.fork();
    let value = match ahead.parse::<Expr>() {
        Ok(value) if ahead.is_empty() || ahead.peek(Token![,]) => {
            input.advance_to(&ahead);
            value.into_token_stream()
        }
        // A JSON object is not a Rust expression.
        _ => {
            let mut json = TokenStream::new();
            while !input.is_empty() && !input.peek(Token![,]) {
                json.extend([input.parse::<TokenTree>()?]);
            }
            json
        }
    };
    match value.is_empty() {
        true => Err(input.error("expected a value: an expression or JSON")),
        false => Ok(value),
    }
}

pub(crate) fn value<T: Parse>(input: ParseStream<'_>) -> Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// A flag without a value is true.
fn flag(input: ParseStream<'_>) -> Result<bool> {
    match input.peek(Token![=]) {
        true => value::<LitBool>(input).map(|value| value.value),
        false => Ok(true),
    }
}

fn duration(text: &LitStr) -> Result<u64> {
    let value = text.value();
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &value[digits.len()..] {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        _ => None,
    };
    let parts = digits.parse::<u64>().ok().zip(unit);
    let millis = parts.and_then(|(count, unit)| count.checked_mul(unit)).filter(|it| *it > 0);
    let expected = "a timeout is a number above 0 and a unit: \"500ms\", \"10s\", \"2m\"";
    millis.ok_or_else(|| Error::new(text.span(), expected))
}
