//! The members of an object, some left out.

use crate::mcp::words::begin_member;
use crate::scan::Members;

/// The object with the members that `keeps` accepts, as they are written; `None` if it is not JSON.
pub(super) fn members_that(object: &str, keeps: impl Fn(&str) -> bool) -> Option<String> {
    let mut members = Members::of(object).ok()?;
    let mut kept = String::from("{");
    while let Some(key) = members.key().ok()? {
        let value = members.value().ok()?;
        if keeps(key) {
            begin_member(&mut kept, key);
            kept.push_str(value);
        }
    }
    Some(kept + "}")
}
