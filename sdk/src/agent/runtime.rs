//! Whether the tokio runtime has what a run needs. Tokio panics where something is missing and
//! offers no other way to ask.

use std::os::fd::OwnedFd;
use std::time::Duration;

use tokio::process::ChildStdin;
use tokio::runtime::Handle;

use super::error::ConnectError;
use crate::panics;

/// Fails unless there is a runtime whose timers are enabled.
pub(crate) fn check_time() -> Result<(), ConnectError> {
    let missing = |missing| ConnectError::Runtime { missing };
    Handle::try_current().map_err(|_| missing("there is none"))?;
    panics::catch(|| drop(tokio::time::sleep(Duration::ZERO)))
        .map_err(|_| missing("its timers are disabled; `Builder::enable_time` enables them"))
}

/// Fails unless there is a runtime whose I/O is enabled.
pub(crate) fn check_io() -> Result<(), ConnectError> {
    let missing = |missing| ConnectError::Runtime { missing };
    Handle::try_current().map_err(|_| missing("there is none"))?;
    let (_reader, writer) = std::io::pipe().map_err(ConnectError::Transport)?;
    panics::catch(|| ChildStdin::from_std(OwnedFd::from(writer).into()))
        .map_err(|_| missing("its I/O is disabled; `Builder::enable_io` enables it"))?
        .map_err(ConnectError::Transport)
        .map(drop)
}
