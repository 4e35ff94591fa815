//! A part of a list.

use std::ops::{Bound, RangeBounds};

/// The elements of a list at these positions, as far as there are such.
pub(super) fn page<T>(list: Vec<T>, range: impl RangeBounds<usize>) -> Vec<T> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(start) => start.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(end) => end.saturating_add(1),
        Bound::Excluded(end) => *end,
        Bound::Unbounded => usize::MAX,
    };
    list.into_iter().take(end).skip(start).collect()
}
