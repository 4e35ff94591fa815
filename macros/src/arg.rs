//! The grammar of `#[arg(…)]` on a parameter.

use proc_macro2::{Span, TokenStream};
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprPath, Ident, Lit, LitStr, Result, Token, parse_quote_spanned,
};

use crate::keys::{Keys, flag, json, literal, text, value};
use crate::nearest::unknown;

/// The keys, in the order in which a message lists them.
pub(crate) const KEYS: [&str; 14] = [
    "rename",
    "title",
    "default",
    "description",
    "min",
    "max",
    "min_length",
    "max_length",
    "pattern",
    "example",
    "complete",
    "header",
    "secret",
    "lenient",
];

const NUMBER: &str = "a number without quotes, or a constant";
const COUNT: &str = "a whole number, 0 or more, or a constant";
const TEXT: &str = "a string in quotes, or a constant";
const FUNCTION: &str = "the name of a function: write `complete = names`";
const DEFAULT: &str = "an expression: write `default = …`";

/// The settings of the attributes of one parameter, as they are written.
#[derive(Default)]
pub(crate) struct ArgArgs {
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) default: Option<Expr>,
    /// True if `default` stands alone.
    pub(crate) is_of_type: bool,
    /// Keywords of JSON Schema with their values.
    pub(crate) rules: Vec<(&'static str, Expr)>,
    pub(crate) examples: Vec<TokenStream>,
    /// The function that completes the argument.
    pub(crate) complete: Option<ExprPath>,
    /// What follows `Mcp-Param-` in the header that repeats the argument over HTTP.
    pub(crate) header: Option<LitStr>,
    pub(crate) is_secret: bool,
    pub(crate) is_lenient: bool,
    /// The attribute, if there is one.
    pub(crate) span: Option<Span>,
}

impl ArgArgs {
    /// Reads the attributes that are called `arg`. After a mistake it goes on with the next key.
    pub(crate) fn parse(attrs: &[Attribute]) -> (Self, Option<Error>) {
        let (mut args, mut keys) = (Self::default(), Keys::default());
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("arg")) {
            args.span = Some(attr.path().span());
            let read = |input: ParseStream<'_>| {
                keys.read(&["example"], input, |key, input| args.read(key, input))
            };
            // What is not read is behind a mistake that was found.
            let unread = attr.parse_args_with(read).err();
            if let Some(error) = unread.filter(|_| keys.complaints.all.is_none()) {
                keys.complaints.push(error);
            }
        }
        (args, keys.complaints.all)
    }

    /// A default whose JSON is what is written.
    pub(crate) fn literal_default(&self) -> Option<&Expr> {
        self.default.as_ref().filter(|default| literal(default).is_some())
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        let mut rule = |keyword, expected: &str| -> Result<()> {
            let value: Expr = value(key, expected, input)?;
            let fits = literal(&value).is_none_or(|literal| match expected {
                NUMBER => matches!(literal, Lit::Int(_) | Lit::Float(_)),
                COUNT => matches!(literal, Lit::Int(_)) && !matches!(value, Expr::Unary(_)),
                _ => matches!(literal, Lit::Str(_)),
            });
            if !fits {
                return Err(Error::new_spanned(&value, format!("`{key}` is {expected}")));
            }
            self.rules.push((keyword, value));
            Ok(())
        };
        match key.to_string().as_str() {
            "rename" => self.rename = Some(text(key, input)?),
            "default" if input.is_empty() || input.peek(Token![,]) => {
                self.is_of_type = true;
                let of_type =
                    parse_quote_spanned!(key.span()=> ::core::default::Default::default());
                self.default = Some(of_type);
            }
            "default" => self.default = Some(value(key, DEFAULT, input)?),
            "title" => rule("title", TEXT)?,
            "description" => self.description = Some(text(key, input)?),
            "min" => rule("minimum", NUMBER)?,
            "max" => rule("maximum", NUMBER)?,
            "min_length" => rule("minLength", COUNT)?,
            "max_length" => rule("maxLength", COUNT)?,
            "pattern" => rule("pattern", TEXT)?,
            "example" => {
                input.parse::<Token![=]>()?;
                self.examples.push(json(input)?);
            }
            "complete" => self.complete = Some(value(key, FUNCTION, input)?),
            "header" => self.header = Some(text(key, input)?),
            "secret" => self.is_secret = flag(key, input)?,
            "lenient" => self.is_lenient = flag(key, input)?,
            _ => return Err(unknown(key, "arg", &KEYS)),
        }
        Ok(())
    }
}
