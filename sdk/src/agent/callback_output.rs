//! Callbacks of one argument, and what all callbacks return.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// Any error.
pub(crate) type AnyError = Box<dyn Error + Send + Sync>;

/// A callback without its type, which gives an `O` for an `I`.
pub(crate) type Callback<I, O> =
    Arc<dyn Fn(I) -> Pin<Box<dyn Future<Output = Result<O, String>> + Send>> + Send + Sync>;

/// What a callback returns for a `T`: a `T`, or a `Result` of one. Its error is a
/// `Box<dyn Error + Send + Sync>`, into which `?` converts all errors, so that closures need no
/// annotations.
///
/// ```
/// use toolwright::agent::{AgentOptions, Permission};
///
/// AgentOptions::builder().can_use_tool(async |request| {
///     let limit: u64 = std::env::var("MAX_LENGTH")?.parse()?;
///     Ok(match request.input.get().len() as u64 > limit {
///         true => Permission::deny("the arguments are too long"),
///         false => Permission::allow(),
///     })
/// });
/// ```
///
/// `?` also makes it of the error of a function, as in `Ok(ask(request).await?)`: its `Result` is
/// not taken as it is. An error is written to the log, and the CLI is told that the callback has
/// failed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a callback that gives a `{T}`",
    label = "not a result of this callback",
    note = "a callback returns a `{T}`, or a `Result` of one whose error is a \
            `Box<dyn std::error::Error + Send + Sync>`: write `Ok(f().await?)` for `f().await`, as `?` \
            converts each error"
)]
pub trait CallbackOutput<T>: sealed::Sealed<T> {
    /// The result.
    #[doc(hidden)]
    fn into_result(self) -> Result<T, AnyError>;
}

mod sealed {
    pub trait Sealed<T> {}
}

impl<T> sealed::Sealed<T> for T {}

impl<T> CallbackOutput<T> for T {
    fn into_result(self) -> Result<T, AnyError> {
        Ok(self)
    }
}

impl<T> sealed::Sealed<T> for Result<T, AnyError> {}

impl<T> CallbackOutput<T> for Result<T, AnyError> {
    fn into_result(self) -> Result<T, AnyError> {
        self
    }
}

/// A callback of which each call runs a clone.
pub(crate) fn callback<I, O, F, Fut>(callback: F) -> Callback<I, O>
where
    F: FnOnce(I) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output: CallbackOutput<O>> + Send + 'static,
    I: Send + 'static,
{
    Arc::new(move |input| {
        let callback = callback.clone();
        Box::pin(async move { checked(callback(input).await) })
    })
}

/// The output, or why the callback has failed.
pub(crate) fn checked<T>(output: impl CallbackOutput<T>) -> Result<T, String> {
    output.into_result().map_err(|error| {
        tracing::error!("a callback failed: {error}");
        format!("the callback failed: {error}")
    })
}
