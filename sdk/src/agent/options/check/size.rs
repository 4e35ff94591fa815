//! Checks of the length of arguments.

use super::complaints::Complaints;
use crate::agent::options::AgentOptions;
use crate::agent::options::arg::{LONGEST, LONGEST_TOGETHER};
use crate::agent::options::args::total;

/// Reports values that are too long for an argument and cannot go into a file.
pub(super) fn check(options: &AgentOptions, complaints: &mut Complaints) {
    let args = options.args();
    for arg in args.iter().filter(|arg| arg.len() > LONGEST + arg.flag().len() + 4) {
        let (flag, length) = (arg.flag(), arg.len());
        complaints.add(format!(
            "--{flag} has {length} bytes, more than the {LONGEST} that an argument may have"
        ));
    }
    let total = total(&args);
    if total > LONGEST_TOGETHER {
        complaints.add(format!(
            "the arguments have {total} bytes together, more than the {LONGEST_TOGETHER} that they \
             may have"
        ));
    }
}
