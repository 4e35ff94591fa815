//! The list of complaints.

/// Collects complaints.
#[derive(Default)]
pub(super) struct Complaints {
    pub(super) list: Vec<String>,
}

impl Complaints {
    pub(super) fn add(&mut self, complaint: impl Into<String>) {
        self.list.push(complaint.into());
    }

    pub(super) fn when(&mut self, is_wrong: bool, complaint: &str) {
        if is_wrong {
            self.add(complaint);
        }
    }
}
