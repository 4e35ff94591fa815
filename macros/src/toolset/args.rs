//! The grammar of `#[toolset(…)]`.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Error, Ident, LitStr, Path, Result, Token, parenthesized, parse_quote};

use crate::complaints::Complaints;
use crate::nearest::unknown;
use crate::renamed::renamed;

const KEYS: [&str; 4] = ["prefix", "group", "groups", "crate"];
const KEY: &str = "expected a key, such as `prefix = \"…\"`";
const PREFIX: &str = "a prefix is the beginning of tools' names, which are of A-Z, a-z, 0-9, `_`, \
    `-` and `.`";

/// The settings of the attribute, as they are written.
pub(super) struct ToolsetArgs {
    pub(super) prefix: String,
    /// What another block of the type calls this one.
    pub(super) group: Option<Ident>,
    /// The other blocks of the type.
    pub(super) groups: Vec<Ident>,
    /// The path of the crate `toolwright`.
    pub(super) krate: Path,
}

impl ToolsetArgs {
    /// Reads the attribute's tokens. After a mistake it goes on with the next key.
    pub(super) fn parse(tokens: TokenStream) -> (Self, Option<Error>) {
        let krate = parse_quote!(::toolwright);
        let mut args = Self { prefix: String::new(), group: None, groups: Vec::new(), krate };
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
        if !seen.iter().any(|key| key == "crate")
            && let Some((path, error)) = renamed("toolset")
        {
            args.krate = path;
            complaints.push(error);
        }
        (args, complaints.0.or(unread))
    }

    fn entry(&mut self, input: ParseStream<'_>, seen: &mut Vec<Ident>) -> Result<()> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error(KEY));
        }
        let key = Ident::parse_any(input)?;
        if !KEYS.iter().any(|known| key == known) {
            return Err(unknown(&key, "toolset", &KEYS));
        }
        if seen.contains(&key) {
            return Err(Error::new(key.span(), format!("`{key}` is given twice")));
        }
        seen.push(key.clone());
        self.read(&key, input).map_err(|error| {
            let form = match key.to_string().as_str() {
                "prefix" => "prefix = \"notes_\"",
                "group" => "group = admin",
                "groups" => "groups(admin, users)",
                _ => "crate = my::tools",
            };
            Error::new(error.span(), format!("{error}; write it as in `{form}`"))
        })
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        if key == "groups" {
            if !input.peek(Paren) {
                return Err(Error::new(key.span(), "`groups` is a list of names"));
            }
            let inner;
            parenthesized!(inner in input);
            let groups = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?;
            self.groups = groups.into_iter().collect();
            return Ok(());
        }
        input.parse::<Token![=]>()?;
        match key.to_string().as_str() {
            "prefix" => {
                let prefix: LitStr = input.parse()?;
                if !prefix.value().bytes().all(is_of_name) {
                    return Err(Error::new(prefix.span(), PREFIX));
                }
                self.prefix = prefix.value();
            }
            "group" => self.group = Some(input.parse()?),
            _ => self.krate = input.call(Path::parse_mod_style)?,
        }
        Ok(())
    }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}
