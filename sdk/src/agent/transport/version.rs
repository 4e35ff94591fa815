//! The check of the CLI's version.

use std::env;

/// The oldest supported version.
const OLDEST: [u32; 3] = [2, 0, 0];

/// Whether this client supports the CLI's version. If not, a warning is logged.
///
/// ```
/// use toolwright::agent::transport::check_version;
///
/// assert!(check_version("2.1.328 (Claude Code)"));
/// ```
///
/// `version` is the `claude_code_version` of `system/init`, or the output of `claude --version`. A
/// text without a version passes. With `CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK` in the environment
/// every version passes.
pub fn check_version(version: &str) -> bool {
    let is_old = parse(version).is_some_and(|found| found < OLDEST);
    if !is_old
        || env::var_os("CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK").is_some_and(|value| !value.is_empty())
    {
        return true;
    }
    tracing::warn!(
        version,
        "the claude program is older than 2.0.0 and may not do what is asked of it"
    );
    false
}

/// The three numbers at the beginning of `2.1.328 (Claude Code)`; missing ones are 0.
fn parse(version: &str) -> Option<[u32; 3]> {
    let version = version.trim();
    let mut numbers = version.strip_prefix('v').unwrap_or(version).split('.').map(|part| {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        part[..end].parse().ok()
    });
    let first = numbers.next()??;
    let mut next = || numbers.next().flatten().unwrap_or(0);
    Some([first, next(), next()])
}

#[cfg(test)]
mod tests;
