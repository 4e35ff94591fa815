//! All errors of the agent as one.

use super::error::{ConnectError, ControlError, ProcessExit, RunError};
use super::message::OutputError;
use super::options::OptionsError;
#[cfg(feature = "sessions")]
use super::sessions::{SessionError, StoreError};
#[cfg(feature = "view")]
use super::view::WatchError;

/// Any error of the agent, for functions that handle all of them in one place. `?` converts the
/// error of each operation.
///
/// ```no_run
/// use toolwright::agent::{AgentOptions, Error, query};
///
/// #[toolwright::data]
/// struct Answer {
///     number: f64,
/// }
///
/// async fn ask(question: &str) -> Result<Answer, Error> {
///     let options = AgentOptions::builder().output_type::<Answer>().build()?;
///     Ok(query(question, options).await?.finish().await?.output()?)
/// }
///
/// # async fn example() {
/// match ask("What is 2 + 40?").await {
///     Ok(answer) => println!("{}", answer.number),
///     Err(Error::Options(error)) => eprintln!("wrong options: {error}"),
///     Err(error) => match error.exit() {
///         Some(exit) => eprintln!("claude ended: {exit}"),
///         None => eprintln!("{error}"),
///     },
/// }
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The options are wrong.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The CLI could not be started or initialised.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A control request failed.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no output by the schema.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An operation on a stored session failed, or a store (feature `sessions`).
    #[cfg(feature = "sessions")]
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A run that was watched has ended without its result (feature `view`).
    #[cfg(feature = "view")]
    #[error(transparent)]
    Watch(#[from] WatchError),
}

impl Error {
    /// How the process ended, if its end is the cause.
    pub fn exit(&self) -> Option<&ProcessExit> {
        match self {
            Self::Connect(ConnectError::Exited(exit) | ConnectError::Failed { exit, .. })
            | Self::Control(ControlError::Closed { exit, .. })
            | Self::Run(RunError::Process(exit)) => Some(exit),
            #[cfg(feature = "view")]
            Self::Watch(WatchError::Run(RunError::Process(exit))) => Some(exit),
            _ => None,
        }
    }
}

#[cfg(feature = "sessions")]
impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        Self::Session(error.into())
    }
}
