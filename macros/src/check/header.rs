//! The names of the headers that repeat arguments.

use syn::punctuated::Punctuated;
use syn::{Error, FnArg, Token};

use crate::arg::ArgArgs;
use crate::complaints::Complaints;

const TOKEN: &str = "a header's name has one or more of A-Z, a-z, 0-9 and !#$%&'*+-.^_`|~";
const TWICE: &str = "two arguments have this header; upper and lower case make no difference";
const SECRET: &str = "everything between client and server can read a header: a secret has none";

pub(super) fn check_headers(inputs: &Punctuated<FnArg, Token![,]>, complaints: &mut Complaints) {
    let mut seen = Vec::new();
    for input in inputs {
        let FnArg::Typed(param) = input else { continue };
        let (args, _) = ArgArgs::parse(&param.attrs);
        let Some(header) = args.header else { continue };
        let name = header.value().to_ascii_lowercase();
        let message = match () {
            () if name.is_empty() || !name.bytes().all(is_of_token) => TOKEN,
            () if seen.contains(&name) => TWICE,
            () if args.is_secret => SECRET,
            () => "",
        };
        if !message.is_empty() {
            complaints.push(Error::new(header.span(), message));
        }
        seen.push(name);
    }
}

/// RFC 9110, section 5.6.2.
fn is_of_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
