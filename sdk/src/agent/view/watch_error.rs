use std::io;

use crate::agent::error::RunError;

/// Why watching a run has ended without its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The run failed, ended without a result, or its result is an error.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The output cannot be written.
    #[error("the view cannot be written")]
    Output(#[from] io::Error),
}
