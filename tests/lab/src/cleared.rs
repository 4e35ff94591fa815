use std::process::Command;

/// Nothing is inherited but the way to the programs: what a shell has for other programs, such as
/// `RUST_LOG`, would change what is measured.
pub fn cleared(mut command: Command) -> Command {
    command.env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}
