//! Whether a CLI is new enough.

use std::env;

/// The oldest version that this client was made for.
const OLDEST: [u32; 3] = [2, 0, 0];

/// Whether the CLI's version is one that this client was made for. If not, that is traced as a
/// warning.
///
/// `version` is what `system/init` says in `claude_code_version` or what `claude --version` prints.
/// What cannot be read as a version passes, and with `CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK` in the
/// environment everything does.
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

/// The three numbers at the beginning of `2.1.328 (Claude Code)`; those that are missing are 0.
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
mod tests {
    use super::{check_version, parse};

    #[test]
    fn versions_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("2.1.328 (Claude Code)", Some([2, 1, 328])),
            ("v2.0.0-beta.3", Some([2, 0, 0])),
            (" 1.9\n", Some([1, 9, 0])),
            ("3", Some([3, 0, 0])),
            ("unknown", None),
            ("", None),
            ("99999999999.0.0", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn only_what_is_surely_old_is_old() {
        assert!(check_version("2.1.328"));
        assert!(check_version("2.0.0"));
        assert!(check_version("of tomorrow"));
        let is_skipped = std::env::var_os("CLAUDE_AGENT_SDK_SKIP_VERSION_CHECK")
            .is_some_and(|value| !value.is_empty());
        assert_eq!(check_version("1.0.128"), is_skipped);
    }
}
