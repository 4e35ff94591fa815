//! All errors of the agent as one.

use super::error::{ConnectError, ControlError, ProcessExit, RunError};
use super::options::OptionsError;

/// Any error of the agent, for functions that handle all of them in one place. `?` converts the
/// error of each operation.
///
/// ```no_run
/// use toolwright::agent::{AgentOptions, Error, query};
///
/// async fn ask(question: &str) -> Result<String, Error> {
///     let options = AgentOptions::builder().model("sonnet").build()?;
///     let result = query(question, options).await?.finish().await?;
///     Ok(result.text().into_owned())
/// }
///
/// # async fn example() {
/// match ask("What is 2 + 40?").await {
///     Ok(answer) => println!("{answer}"),
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
}

impl Error {
    /// How the process ended, if its end is the cause.
    pub fn exit(&self) -> Option<&ProcessExit> {
        match self {
            Self::Connect(ConnectError::Exited(exit) | ConnectError::Failed { exit, .. })
            | Self::Control(ControlError::Closed { exit, .. })
            | Self::Run(RunError::Process(exit)) => Some(exit),
            _ => None,
        }
    }
}
