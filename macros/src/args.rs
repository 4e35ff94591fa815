//! The grammar of `#[tool(…)]`, `#[prompt(…)]` and `#[resource(…)]`.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::{Bracket, Paren};
use syn::{
    Error, Expr, Ident, Lit, LitBool, LitInt, LitStr, Path, Result, Token, bracketed,
    parenthesized, parse_quote,
};

use crate::keys::{Keys, flag, json, krate, sized, text, value};
use crate::noun::Noun;
use crate::renamed::renamed;
use crate::uri::variables;

const URI: &str =
    "a resource has a URI or a template of URIs: write `#[resource(\"notes://{id}\")]`";
const ENTRIES: &str = "entries of `_meta` are written as `meta(\"key\" = value)`";
const DURATION: &str = "is a number above 0 and a unit: \"500ms\", \"10s\", \"2m\", \"1h\"";
const CACHE_SCOPE: &str = "a cache scope is \"private\", for one user, or \"public\", for all";
const AUDIENCE: &str = "a resource is for \"user\", for \"assistant\", or for both";
const PRIORITY: &str = "a number from 0 to 1, as in `priority = 0.5`";
const SCOPE: &str = "a scope is visible ASCII text without spaces, `\"` and `\\`";
const VIEW: &str = "a view is a resource whose URI begins with `ui://`";
const TASK: &str = "`task` has no value, or it is \"required\": write `task = \"required\"` for a \
                    tool that only clients with tasks can call";
const VISIBILITY: &str = "a tool is visible to \"model\", to \"app\", or to both";
const READS: &str = "a tool that is `read_only` destroys nothing: remove one of the two";

/// The settings of the attribute, as they are written.
#[derive(Default)]
pub(crate) struct ToolArgs {
    pub(crate) noun: Noun,
    /// Of a resource, and the names of its variables.
    pub(crate) uri: Option<LitStr>,
    pub(crate) variables: Vec<String>,
    pub(crate) mime: Option<LitStr>,
    pub(crate) size: Option<LitInt>,
    /// In milliseconds.
    pub(crate) ttl: Option<u64>,
    pub(crate) cache_scope: Option<Ident>,
    /// Variants of `Reader`.
    pub(crate) audience: Option<Vec<Ident>>,
    pub(crate) priority: Option<f64>,
    pub(crate) last_modified: Option<Expr>,
    /// Stands before the name; from `#[toolset]`.
    pub(crate) prefix: String,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) scopes: Vec<LitStr>,
    /// In milliseconds.
    pub(crate) timeout: Option<u64>,
    /// `Optional` or `Required`.
    pub(crate) task: Option<Ident>,
    pub(crate) inline: Option<Span>,
    pub(crate) icons: Vec<LitStr>,
    /// Key and value of each entry.
    pub(crate) meta: Vec<(LitStr, TokenStream)>,
    /// The URI of the view of a tool, and who may call the tool.
    pub(crate) ui: Option<LitStr>,
    pub(crate) visibility: Option<Vec<LitStr>>,
    pub(crate) krate: Option<Path>,
}

impl ToolArgs {
    /// Reads the attribute's tokens, and adds them to what is `given` otherwise. After a mistake it
    /// goes on with the next key, so that the mistake causes no further messages.
    pub(crate) fn parse(tokens: TokenStream, given: Self) -> (Self, Option<Error>) {
        let mut args = given;
        let mut keys = Keys::default();
        let parser = |input: ParseStream<'_>| {
            if args.noun == Noun::Resource {
                args.read_uri(input)?;
            }
            keys.read(&["icon", "meta"], input, |key, input| args.read(key, input))
        };
        let unread = parser.parse2(tokens).err();
        let Keys { seen, mut complaints } = keys;
        if args.krate.is_none()
            && let Some((path, error)) = renamed(args.noun.name())
        {
            args.krate = Some(path);
            complaints.push(error);
        }
        if let (Some(true), Some(true)) = (args.read_only, args.destructive)
            && let Some(key) = seen.iter().find(|key| *key == "destructive")
        {
            complaints.push(Error::new(key.span(), READS));
        }
        args.add_ui(&seen);
        for (at, (key, _)) in args.meta.iter().enumerate() {
            if args.meta[..at].iter().any(|(other, _)| other.value() == key.value()) {
                let what = format!("`_meta` has `{}` twice: remove one of the two", key.value());
                complaints.push(Error::new(key.span(), what));
            }
        }
        (args, complaints.all.or(unread))
    }

    /// The path of the crate `toolwright`.
    pub(crate) fn krate(&self) -> Path {
        self.krate.clone().unwrap_or_else(|| parse_quote!(::toolwright))
    }

    fn read_uri(&mut self, input: ParseStream<'_>) -> Result<()> {
        let uri: LitStr = input.parse().map_err(|error| Error::new(error.span(), URI))?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        self.variables = variables(&uri)?;
        self.uri = Some(uri);
        Ok(())
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        if !self.noun.keys().iter().any(|known| key == known) {
            return Err(self.noun.unknown(key));
        }
        match key.to_string().as_str() {
            "name" => self.name = Some(text(key, input)?),
            "title" => self.title = Some(text(key, input)?),
            "description" => self.description = Some(text(key, input)?),
            "read_only" => self.read_only = Some(flag(key, input)?),
            "destructive" => self.destructive = Some(flag(key, input)?),
            "idempotent" => self.idempotent = Some(flag(key, input)?),
            "open_world" => self.open_world = Some(flag(key, input)?),
            "scopes" => self.scopes = scopes(key, input)?,
            "timeout" => self.timeout = Some(duration(key, input)?),
            "inline" if input.peek(Token![=]) => {
                return Err(input.error("`inline` has no value: write it alone, or not at all"));
            }
            "inline" => self.inline = Some(key.span()),
            "task" => self.task = Some(task(key, input)?),
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
            "ui" => {
                let uri: LitStr = text(key, input)?;
                if !uri.value().starts_with("ui://") {
                    return Err(Error::new(uri.span(), VIEW));
                }
                self.ui = Some(uri);
            }
            "visibility" => {
                let callers = texts(key, input)?;
                let is_wrong = |it: &&LitStr| !["model", "app"].contains(&it.value().as_str());
                if let Some(wrong) = callers.iter().find(is_wrong) {
                    return Err(Error::new(wrong.span(), VISIBILITY));
                }
                if callers.is_empty() {
                    return Err(Error::new(key.span(), VISIBILITY));
                }
                self.visibility = Some(callers);
            }
            "crate" => self.krate = Some(krate(key, input)?),
            "mime" => self.mime = Some(text(key, input)?),
            "size" => {
                self.size = Some(value(key, "a number of bytes, as in `size = 1000`", input)?)
            }
            "ttl" => self.ttl = Some(duration(key, input)?),
            "cache_scope" => {
                let scope: LitStr = text(key, input)?;
                if !["private", "public"].contains(&scope.value().as_str()) {
                    return Err(Error::new(scope.span(), CACHE_SCOPE));
                }
                self.cache_scope = Some(Ident::new(&scope.value(), scope.span()));
            }
            "audience" => self.audience = Some(audience(key, input)?),
            "priority" => self.priority = Some(priority(key, input)?),
            "last_modified" => self.last_modified = Some(text(key, input)?),
            _ => return Err(self.noun.unknown(key)),
        }
        Ok(())
    }

    /// Both keys of a view are in one entry of `_meta`.
    fn add_ui(&mut self, seen: &[Ident]) {
        let uri = self.ui.iter().map(|uri| quote!("resourceUri": #uri));
        let callers = self.visibility.iter().map(|callers| quote!("visibility": [#(#callers),*]));
        let members: Vec<_> = uri.chain(callers).collect();
        let key = seen.iter().find(|key| *key == "ui" || *key == "visibility");
        if let Some(key) = key.filter(|_| !members.is_empty()) {
            self.meta.push((LitStr::new("ui", key.span()), quote!({ #(#members),* })));
        }
    }

    fn meta_entry(&mut self, key: &Ident, name: &str, value: &dyn ToTokens) {
        self.meta.push((LitStr::new(name, key.span()), sized(value.to_token_stream())));
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

/// A list of strings.
fn texts(key: &Ident, input: ParseStream<'_>) -> Result<Vec<LitStr>> {
    let refused =
        |span| Error::new(span, format!("`{key}` is a list of strings: write `{key} = [\"…\"]`"));
    if input.parse::<Option<Token![=]>>()?.is_none() || !input.peek(Bracket) {
        return Err(refused(key.span()));
    }
    let inner;
    bracketed!(inner in input);
    let list = Punctuated::<LitStr, Token![,]>::parse_terminated(&inner);
    Ok(list.map_err(|error| refused(error.span()))?.into_iter().collect())
}

fn scopes(key: &Ident, input: ParseStream<'_>) -> Result<Vec<LitStr>> {
    let list = texts(key, input)?;
    // RFC 6749, section 3.3.
    let is_scope = |text: String| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte))
    };
    match list.iter().find(|scope| !is_scope(scope.value())) {
        Some(scope) => Err(Error::new(scope.span(), SCOPE)),
        None => Ok(list),
    }
}

/// Variants of `Reader`.
fn audience(key: &Ident, input: ParseStream<'_>) -> Result<Vec<Ident>> {
    let role = |reader: &LitStr| match reader.value().as_str() {
        "user" => Ok(Ident::new("User", reader.span())),
        "assistant" => Ok(Ident::new("Assistant", reader.span())),
        _ => Err(Error::new(reader.span(), AUDIENCE)),
    };
    texts(key, input)?.iter().map(role).collect()
}

fn priority(key: &Ident, input: ParseStream<'_>) -> Result<f64> {
    let value: Lit = value(key, PRIORITY, input)?;
    let number: Option<f64> = match &value {
        Lit::Float(number) => number.base10_parse().ok(),
        Lit::Int(number) => number.base10_parse().ok(),
        _ => None,
    };
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| Error::new(value.span(), format!("`{key}` is {PRIORITY}")))
}

/// A variant of `TaskSupport`.
fn task(key: &Ident, input: ParseStream<'_>) -> Result<Ident> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(Ident::new("Optional", key.span()));
    }
    input.parse::<Token![=]>().map_err(|error| Error::new(error.span(), TASK))?;
    let span = if input.is_empty() { key.span() } else { input.span() };
    match input.parse::<LitStr>() {
        Ok(text) if text.value() == "required" => Ok(Ident::new("Required", key.span())),
        _ => Err(Error::new(span, TASK)),
    }
}

/// In milliseconds.
fn duration(key: &Ident, input: ParseStream<'_>) -> Result<u64> {
    let expected = format!("a string with a unit, as in `{key} = \"10s\"`");
    let (value, span) = match value(key, &expected, input)? {
        Lit::Str(text) => (text.value(), text.span()),
        Lit::Int(number) => {
            let unit = if number.suffix().is_empty() { "s" } else { number.suffix() };
            let error = format!("write the unit: `{key} = \"{}{unit}\"`", number.base10_digits());
            return Err(Error::new(number.span(), error));
        }
        other => (String::new(), other.span()),
    };
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &value[digits.len()..] {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    // A number may begin with `+` where it is parsed.
    let count = digits.parse::<u64>().ok().filter(|_| !digits.starts_with('+'));
    let parts = count.zip(unit);
    let millis = parts.and_then(|(count, unit)| count.checked_mul(unit)).filter(|it| *it > 0);
    millis.ok_or_else(|| Error::new(span, format!("a {key} {DURATION}")))
}
