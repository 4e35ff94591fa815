//! From what a function returns to the values of an argument.

use std::future::{Future, ready};
use std::marker::PhantomData;
use std::pin::Pin;

use crate::mcp::call::Kind;
use crate::mcp::output::Sealed;

/// What a function that completes an argument may return: the values that fit, or a future of them.
///
/// ```
/// use toolwright::{Prompt, PromptArgument};
///
/// let arguments = [PromptArgument::required("branch", "What to review")];
/// let review = Prompt::new("review", "Review a branch", arguments, async |given, _| {
///     format!("Review {}.", given["branch"])
/// });
/// let review = review.complete("branch", |typed: String, _| {
///     ["main", "next"].into_iter().filter(move |name| name.starts_with(&typed))
/// });
/// ```
///
/// The trait is sealed. `Kind` distinguishes the implementations and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot complete an argument",
    label = "not values of an argument",
    note = "what completes an argument returns texts, such as a `Vec<String>`, or is async and \
            returns these"
)]
pub trait IntoValues<Kind> {
    #[doc(hidden)]
    const SEALED: Sealed;

    /// Where the function runs.
    #[doc(hidden)]
    const KIND: crate::mcp::call::Kind;

    /// The values.
    fn into_values(self) -> impl Future<Output = Vec<String>> + Send;
}

/// What distinguishes the implementations of [`IntoValues`].
#[doc(hidden)]
pub mod kind {
    use crate::mcp::call::Kind;

    pub trait Runs {
        const KIND: Kind;
    }

    #[derive(Debug)]
    pub struct Plain;
    #[derive(Debug)]
    pub struct Async;
    #[derive(Debug)]
    pub struct Called<K>(K);

    impl Runs for Plain {
        const KIND: Kind = Kind::Sync;
    }

    impl Runs for Async {
        const KIND: Kind = Kind::Async;
    }
}

/// The values of a function that `#[arg(complete = …)]` names. The future around its call would not
/// show otherwise what kind of function it is.
#[doc(hidden)]
#[derive(Debug)]
pub struct Found<K> {
    values: Vec<String>,
    kind: PhantomData<fn() -> K>,
}

/// The values of what a function has returned. The future has a type without `T`, so that a wrong
/// one causes one error.
#[doc(hidden)]
pub fn found<'a, T, K>(returned: T) -> Pin<Box<dyn Future<Output = Found<K>> + Send + 'a>>
where
    T: IntoValues<K> + 'a,
    K: 'a,
{
    let values = returned.into_values();
    Box::pin(async move { Found { values: values.await, kind: PhantomData } })
}

#[diagnostic::do_not_recommend]
impl<T: IntoIterator<Item: Into<String>>> IntoValues<kind::Plain> for T {
    const SEALED: Sealed = Sealed;
    const KIND: Kind = <kind::Plain as kind::Runs>::KIND;

    fn into_values(self) -> impl Future<Output = Vec<String>> + Send {
        ready(self.into_iter().map(Into::into).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<F, T> IntoValues<kind::Async> for F
where
    F: Future<Output = T> + Send,
    T: IntoIterator<Item: Into<String>>,
{
    const SEALED: Sealed = Sealed;
    const KIND: Kind = <kind::Async as kind::Runs>::KIND;

    async fn into_values(self) -> Vec<String> {
        self.await.into_iter().map(Into::into).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<F, K> IntoValues<kind::Called<K>> for F
where
    F: Future<Output = Found<K>> + Send,
    K: kind::Runs,
{
    const SEALED: Sealed = Sealed;
    const KIND: Kind = K::KIND;

    async fn into_values(self) -> Vec<String> {
        self.await.values
    }
}
