//! What is being checked, and by which schemas.

/// How many of the last pairs have this value, and whether one of these has this schema, too. Both
/// are given by their places in memory.
pub(super) fn same(open: &[(usize, usize)], value: usize, schema: usize) -> (usize, bool) {
    let (mut same, mut is_open) = (0, false);
    for (other, by) in open.iter().rev() {
        if *other != value {
            break;
        }
        same += 1;
        is_open |= *by == schema;
    }
    (same, is_open)
}
