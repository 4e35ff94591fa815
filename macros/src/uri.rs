//! The URI template of a resource, as far as the compiler must know it.

use syn::{Error, LitStr};

const FORM: &str = "a variable is written `{x}`, `{+x}` or `{?a,b}` (RFC 6570)";

/// The names of the variables.
pub(crate) fn variables(uri: &LitStr) -> Result<Vec<String>, Error> {
    let text = uri.value();
    let refused = || Error::new(uri.span(), FORM);
    let mut names = Vec::new();
    for piece in text.split('{').skip(1) {
        let (expression, _) = piece.split_once('}').ok_or_else(refused)?;
        let list = match expression.strip_prefix('?') {
            Some(list) => list.split(',').collect(),
            None => vec![expression.strip_prefix('+').unwrap_or(expression)],
        };
        for name in list {
            let is_name = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name {
                return Err(refused());
            }
            names.push(name.to_owned());
        }
    }
    Ok(names)
}
