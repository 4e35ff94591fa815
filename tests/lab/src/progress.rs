use std::io::{IsTerminal, stderr};

/// One line that the next replaces, for who watches; a log has no use for it.
pub fn show(progress: &str) {
    if stderr().is_terminal() {
        eprint!("\r\x1b[K{progress}");
    }
}
