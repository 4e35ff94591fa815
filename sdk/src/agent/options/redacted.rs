//! What `Debug` prints in place of values that may be secrets.

use std::fmt;

/// The length of a text.
pub(super) struct Length<'a>(pub(super) &'a str);

impl fmt::Debug for Length<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{} bytes>", self.0.len())
    }
}

/// The names of values.
pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<&'a String> {
    names.into_iter().collect()
}
