//! How the CLI exits.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::agent::ProcessExit;

/// With this code.
pub(super) fn with_code(code: u8, stderr: String) -> ProcessExit {
    let status = Some(ExitStatus::from_raw(i32::from(code) << 8));
    ProcessExit { status, stderr }
}

/// By this signal.
pub(super) fn by_signal(signal: u8, stderr: String) -> ProcessExit {
    // The bit above the signals would say that there is a core file.
    let status = Some(ExitStatus::from_raw(i32::from(signal & 0x7f)));
    ProcessExit { status, stderr }
}
