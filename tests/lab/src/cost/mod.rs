//! What a user's build takes.

mod build_times;
mod tool_cost;

mod project;

pub use project::Scratch;

use anyhow::Result;

use crate::options::Options;

/// Measures and prints, and says whether all is well: unless it is quick, no missed bar.
pub fn run(options: &Options) -> Result<bool> {
    let is_wanted = |names: &[&str]| {
        options.measures.is_empty()
            || options.measures.iter().any(|wanted| names.contains(&wanted.as_str()))
    };
    let mut is_kept = true;
    if is_wanted(&["build"]) {
        is_kept &= build_times::run(options)?;
    }
    if is_wanted(&["release", "check"]) {
        is_kept &= tool_cost::run(options)?;
    }
    Ok(is_kept || options.quick)
}
