//! Collects the mistakes of an attribute and of what it stands on.

use quote::ToTokens;
use syn::Error;

use crate::noun::Noun;

/// All mistakes, so that one compilation shows them.
#[derive(Default)]
pub(crate) struct Complaints {
    pub(crate) noun: Noun,
    pub(crate) all: Option<Error>,
}

impl Complaints {
    pub(crate) fn add(&mut self, tokens: &dyn ToTokens, message: &str) {
        self.push(Error::new_spanned(tokens, self.noun.said(message)));
    }

    pub(crate) fn push(&mut self, error: Error) {
        self.all = combined(self.all.take().into_iter().chain([error]));
    }
}

/// All errors as one; `None` if there are none.
pub(crate) fn combined(errors: impl IntoIterator<Item = Error>) -> Option<Error> {
    errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    })
}
