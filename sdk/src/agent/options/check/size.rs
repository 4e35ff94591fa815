//! Checks of the length of arguments.

use super::complaints::Complaints;
use crate::agent::options::AgentOptions;
use crate::agent::options::arg::{LONGEST, LONGEST_TOGETHER};
use crate::agent::options::args::total;

/// Reports values that are too long for an argument and cannot go into a file.
pub(super) fn check(options: &AgentOptions, complaints: &mut Complaints) {
    let args = options.args();
    for arg in args.iter().filter(|arg| arg.len() > LONGEST + arg.flag().len() + 4) {
        complaints.add(format!(
            "--{} has {} bytes, more than the {LONGEST} that an argument may have",
            arg.flag(),
            arg.len()
        ));
    }
    if total(&args) > LONGEST_TOGETHER {
        complaints.add(format!(
            "the arguments have {} bytes together, more than the {LONGEST_TOGETHER} that they may \
             have",
            total(&args)
        ));
    }
}
