//! The grammar of `#[toolset(…)]`.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::Paren;
use syn::{Error, Ident, LitStr, Path, Result, Token, parenthesized, parse_quote};

use crate::keys::{Keys, krate, text, value};
use crate::nearest::{nearest, unknown};
use crate::renamed::renamed;

const KEYS: [&str; 4] = ["prefix", "group", "groups", "crate"];
const GROUPS: &str = "`groups` is a list of names, as in `groups(admin, users)`";
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
        let mut keys = Keys::default();
        let parser =
            |input: ParseStream<'_>| keys.read(&[], input, |key, input| args.read(key, input));
        let unread = parser.parse2(tokens).err();
        let Keys { seen, mut complaints } = keys;
        if !seen.iter().any(|key| key == "crate")
            && let Some((path, error)) = renamed("toolset")
        {
            args.krate = path;
            complaints.push(error);
        }
        (args, complaints.all.or(unread))
    }

    fn read(&mut self, key: &Ident, input: ParseStream<'_>) -> Result<()> {
        match key.to_string().as_str() {
            "prefix" => {
                let prefix: LitStr = text(key, input)?;
                if !prefix.value().bytes().all(is_of_name) {
                    return Err(Error::new(prefix.span(), PREFIX));
                }
                self.prefix = prefix.value();
            }
            "group" => {
                let meant = meant(key, input);
                let name = value(key, "a name, as in `group = admin`", input);
                self.group = Some(name.clone().unwrap_or(meant));
                name?;
            }
            "groups" => {
                if !input.peek(Paren) {
                    return Err(Error::new(key.span(), GROUPS));
                }
                let inner;
                parenthesized!(inner in input);
                let groups = Punctuated::<Ident, Token![,]>::parse_terminated(&inner)?;
                self.groups = groups.into_iter().collect();
            }
            "crate" => self.krate = krate(key, input)?,
            written => {
                if nearest(written, &KEYS) == Some("group") {
                    self.group = Some(meant(key, input));
                }
                return Err(unknown(key, "toolset", &KEYS));
            }
        }
        Ok(())
    }
}

/// The group's name, whatever is wrong with how it is written. A block that is a group then causes
/// no further errors by not being one.
fn meant(key: &Ident, input: ParseStream<'_>) -> Ident {
    let ahead = input.fork();
    let _ = ahead.parse::<Token![=]>();
    let name = match ahead.parse::<LitStr>() {
        Ok(name) => name.parse().ok(),
        Err(_) => ahead.parse().ok(),
    };
    name.unwrap_or_else(|| key.clone())
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)
}
