//! The grammar of `#[tool(…)]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{
    Error, Expr, Ident, Lit, LitBool, LitInt, LitStr, Path, Result, Token, parenthesized,
    parse_quote,
};

use crate::complaints::Complaints;
use crate::nearest::unknown;
use crate::renamed::renamed;

pub(crate) const KEYS: [&str; 15] = [
    "name",
    "title",
    "description",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "timeout",
    "inline",
    "icon",
    "meta",
    "always_load",
    "search_hint",
    "max_result_chars",
    "crate",
];

const ENTRY: &str = "expected a key, such as `read_only` or `title = \"…\"`";
const ENTRIES: &str = "entries of `_meta` are written as `meta(\"key\" = value)`";
const TIMEOUT: &str = "a timeout is a number above 0 and a unit: \"500ms\", \"10s\", \"2m\"";
const READS: &str = "a tool that is `read_only` destroys nothing: remove one of the two";

/// The settings of the attribute, as they are written.
#[derive(Default)]
pub(crate) struct ToolArgs {
    /// Stands before the name; from `#[toolset]`.
    pub(crate) prefix: String,
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
    /// Reads the attribute's tokens, and adds them to what is `given` otherwise. After a mistake it
    /// goes on with the next key, so that the mistake causes no further messages.
    pub(crate) fn parse(tokens: TokenStream, given: Self) -> (Self, Option<Error>) {
        let mut args = given;
        let mut complaints = Complaints::default();
        let mut seen: Vec<Ident> = Vec::new();
        let parser = |input: ParseStream<'_>| {
            while !input.is_empty() {
                if let Err(error) = args.entry(input, &mut seen) {
                    complaints.push(error);
                    while !input.is_empty() && !input.peek(Token![,]) {
                        input.parse::<TokenTree>()?;
                    }
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        let unread = parser.parse2(tokens).err();
        if args.krate.is_none()
            && let Some((path, error)) = renamed("tool")
        {
            args.krate = Some(path);
            complaints.push(error);
        }
        if let (Some(true), Some(true)) = (args.read_only, args.destructive)
            && let Some(key) = seen.iter().find(|key| *key == "destructive")
        {
            complaints.push(Error::new(key.span(), READS));
        }
        (args, complaints.0.or(unread))
    }

    /// The path of the crate `toolwright`.
    pub(crate) fn krate(&self) -> Path {
        self.krate.clone().unwrap_or_else(|| parse_quote!(::toolwright))
    }

    fn entry(&mut self, input: ParseStream<'_>, seen: &mut Vec<Ident>) -> Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(ENTRY));
        }
        let key = Ident::parse_any(input)?;
        if seen.contains(&key) && key != "icon" && key != "meta" {
            return Err(Error::new(key.span(), format!("`{key}` is given twice")));
        }
        seen.push(key.clone());
        self.read(&key, input)?;
        match input.is_empty() || input.peek(Token![,]) {
            true => Ok(()),
            false => Err(input.error(format!("expected `,` after `{key}` and its value"))),
        }
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "name" => self.name = Some(text(key, input)?),
            "title" => self.title = Some(text(key, input)?),
            "description" => self.description = Some(text(key, input)?),
            "read_only" => self.read_only = Some(flag(key, input)?),
            "destructive" => self.destructive = Some(flag(key, input)?),
            "idempotent" => self.idempotent = Some(flag(key, input)?),
            "open_world" => self.open_world = Some(flag(key, input)?),
            "timeout" => self.timeout = Some(timeout(key, input)?),
            "inline" if input.peek(Token![=]) => {
                return Err(input.error("`inline` has no value: write it alone, or not at all"));
            }
            "inline" => self.inline = Some(key.span()),
            "icon" => self.icons.push(text(key, input)?),
            "meta" => {
                if !input.peek(Paren) {
                    return Err(Error::new(key.span(), ENTRIES));
                }
                let inner;
                parenthesized!(inner in input);
                let entries = Punctuated::<Entry, Token![,]>::parse_terminated(&inner)?;
                self.meta.extend(entries.into_iter().map(|entry| (entry.key, entry.value)));
            }
            "always_load" => {
                let on = flag(key, input)?;
                self.meta_entry(key, "anthropic/alwaysLoad", &LitBool::new(on, key.span()));
            }
            "search_hint" => {
                let hint: LitStr = text(key, input)?;
                self.meta_entry(key, "anthropic/searchHint", &hint);
            }
            "max_result_chars" => {
                let most: LitInt = value(key, "a number, as in `max_result_chars = 1000`", input)?;
                self.meta_entry(key, "anthropic/maxResultSizeChars", &most);
            }
            "crate" => self.krate = Some(value(key, "a path, as in `crate = my::tools`", input)?),
            _ => return Err(unknown(key, "tool", &KEYS)),
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
        let key = input.parse().map_err(|error| Error::new(error.span(), ENTRIES))?;
        input.parse::<Token![=]>().map_err(|error| Error::new(error.span(), ENTRIES))?;
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

/// What stands behind `=`. `form` says what should.
pub(crate) fn value<T: Parse>(key: &Ident, form: &str, input: ParseStream<'_>) -> Result<T> {
    let is_there = input.parse::<Option<Token![=]>>()?.is_some() && !input.is_empty();
    let (span, parsed) = match is_there {
        true => (input.span(), input.parse().ok()),
        false => (key.span(), None),
    };
    parsed.ok_or_else(|| Error::new(span, format!("`{key}` is {form}")))
}

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

/// In milliseconds.
fn timeout(key: &Ident, input: ParseStream<'_>) -> Result<u64> {
    match value(key, "a string with a unit, as in `timeout = \"10s\"`", input)? {
        Lit::Str(text) => duration(&text),
        Lit::Int(number) => {
            let unit = if number.suffix().is_empty() { "s" } else { number.suffix() };
            let error = format!("write the unit: `timeout = \"{}{unit}\"`", number.base10_digits());
            Err(Error::new(number.span(), error))
        }
        other => Err(Error::new(other.span(), TIMEOUT)),
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
    millis.ok_or_else(|| Error::new(text.span(), TIMEOUT))
}
