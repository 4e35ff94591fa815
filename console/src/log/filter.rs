//! What `RUST_LOG` selects.

use tracing::level_filters::LevelFilter;

/// The target of warnings about `RUST_LOG` itself.
pub(super) const TARGET: &str = "toolwright_stdio::log";

/// Targets and the level up to which each is logged.
pub(super) struct Filter(Vec<(String, LevelFilter)>);

impl Filter {
    /// Reads parts such as `debug`, `my_crate` or `my_crate::part=trace`, separated by commas, and
    /// returns those that it cannot read beside the filter. Without any other part, warnings and
    /// errors are logged; what cannot be read can be warned of with [`TARGET`].
    pub(super) fn of(selected: &str) -> (Self, Vec<&str>) {
        let parts = selected.split(',').map(str::trim).filter(|part| !part.is_empty());
        let (mut targets, mut unread) = (Vec::new(), Vec::new());
        for part in parts {
            let (target, level) = match (part.split_once('='), part.parse()) {
                (None, Ok(level)) => ("", Ok(level)),
                (None, Err(_)) => (part, Ok(LevelFilter::TRACE)),
                (Some((target, level)), _) => (target.trim(), level.trim().parse()),
            };
            match level {
                Ok(level) if !target.as_bytes().contains(&b'[') && !part.ends_with('=') => {
                    targets.push((target.to_owned(), level));
                }
                _ => unread.push(part),
            }
        }
        if targets.is_empty() {
            targets.push((String::new(), LevelFilter::WARN));
        }
        if !unread.is_empty() {
            targets.push((TARGET.to_owned(), LevelFilter::WARN));
        }
        (Self(targets), unread)
    }

    /// The level of the longest target that `target` begins with; of equal ones the last counts.
    pub(super) fn level(&self, target: &str) -> LevelFilter {
        let (mut longest, mut level) = (0, LevelFilter::OFF);
        for (prefix, its) in &self.0 {
            if prefix.len() >= longest && target.starts_with(prefix.as_str()) {
                (longest, level) = (prefix.len(), *its);
            }
        }
        level
    }

    /// The level above which nothing is logged.
    pub(super) fn most(&self) -> LevelFilter {
        let mut most = LevelFilter::OFF;
        for (_, level) in &self.0 {
            most = most.max(*level);
        }
        most
    }
}
