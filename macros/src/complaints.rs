//! Collects the mistakes of an attribute and of what it stands on.

use quote::ToTokens;
use syn::Error;

/// All mistakes, so that one compilation shows them.
#[derive(Default)]
pub(crate) struct Complaints(pub(crate) Option<Error>);

impl Complaints {
    pub(crate) fn add(&mut self, tokens: &dyn ToTokens, message: &str) {
        self.push(Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }
}
