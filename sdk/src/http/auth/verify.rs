//! What judges tokens.

use std::fmt;
use std::pin::Pin;

use super::caller::Caller;

/// Judges the token of every request: a function from the token to the caller, or a type of your
/// own.
///
/// ```
/// use toolwright::http::{Auth, AuthError, Caller};
///
/// let verifier = async |token: String| match token.as_str() {
///     "correct horse" => Ok(Caller::new("ann").scopes(["notes:read"])),
///     _ => Err(AuthError::Invalid("it is unknown".into())),
/// };
/// let auth = Auth::new("https://notes.example.com/mcp", verifier)?;
/// # Ok::<(), toolwright::http::BadResource>(())
/// ```
pub trait Verify: Send + Sync + 'static {
    /// Who the token speaks for. The token may be any visible ASCII text.
    ///
    /// After 30 s the future is dropped, and the token counts as [`AuthError::Unavailable`].
    ///
    /// It must have been issued for this server: a token for another server is invalid here.
    fn verify<'a>(&'a self, token: &'a str) -> Verified<'a>;
}

/// The future of a verdict.
pub type Verified<'a> = Pin<Box<dyn Future<Output = Result<Caller, AuthError>> + Send + 'a>>;

/// Why a token was not accepted. Clients read the texts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthError {
    /// It is not valid, or no more: the client needs another one (status 401).
    Invalid(String),
    /// It cannot be judged now (status 503).
    Unavailable(String),
}

impl<F, Fut> Verify for F
where
    F: Fn(String) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Caller, AuthError>> + Send + 'static,
{
    fn verify<'a>(&'a self, token: &'a str) -> Verified<'a> {
        Box::pin(self(token.to_owned()))
    }
}

impl fmt::Display for AuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => write!(f, "the token is not valid: {why}"),
            Self::Unavailable(why) => write!(f, "the token cannot be judged now: {why}"),
        }
    }
}

impl std::error::Error for AuthError {}
