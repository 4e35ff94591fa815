//! Misspelt keys of an attribute.

use syn::ext::IdentExt;
use syn::{Error, Ident};

/// What to say of a key that an attribute does not have.
pub(crate) fn unknown(key: &Ident, attribute: &str, keys: &[&str]) -> Error {
    let written = key.unraw().to_string();
    let advice = match nearest(&written, keys) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its keys are {}", keys.join(", ")),
    };
    Error::new(key.span(), format!("`{written}` is no key of #[{attribute}]: {advice}"))
}

/// The key that was probably meant.
pub(crate) fn nearest<'a>(written: &str, keys: &[&'a str]) -> Option<&'a str> {
    /// Beginnings of keys that are shorter fit too many of them.
    const SHORT: usize = 3;
    let plain = |name: &str| name.to_lowercase().replace('_', "");
    let written = plain(written);
    let distances = keys.iter().map(|key| {
        let known = plain(key);
        // Short for the key, such as `desc`, or longer than it, such as MCP's `readOnlyHint`.
        let begins = written.len() >= SHORT && known.starts_with(&written)
            || known.len() >= SHORT && written.starts_with(&known);
        let distance = distance(&written, &known);
        (if begins { distance.min(1) } else { distance }, *key)
    });
    let most = (written.chars().count() / 3).max(1);
    distances
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(it, _)| *it)
        .map(|(_, key)| key)
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour to change
/// one name into the other. The library has this too; the macros cannot depend on it.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // The distances between the beginnings of the names.
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let mut least = i + j;
            if i > 0 && j > 0 {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            }
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = least;
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests;
