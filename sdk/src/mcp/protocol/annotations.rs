//! For whom something is, and how important it is.

use serde::{Deserialize, Serialize, Serializer};

use super::time::is_time;

/// The intended readers of a block or of a resource and its importance, for clients.
///
/// ```
/// use toolwright::{Annotations, Content, Image, Role};
///
/// let for_user = Annotations::default().audience([Role::User]).priority(0.3);
/// let chart = Content::from(Image::png(b"...")).annotated(for_user);
/// let alarm = Content::text("The disk is full.").annotated(Annotations::default().priority(1.0));
/// # let _ = (chart, alarm);
/// ```
///
/// Clients of the official SDKs refuse a whole message for a priority or a time that they do not
/// understand. So `build` refuses a resource with such a one; in a block the priority becomes the
/// nearest of 0 and 1, and the time is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Annotations {
    /// The intended readers; empty leaves them open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<Role>,
    /// The importance, from 0 (can be omitted) to 1 (required).
    #[serde(skip_serializing_if = "is_no_number", serialize_with = "bounded")]
    pub priority: Option<f64>,
    /// When the content was last changed, as an ISO 8601 time such as `2025-01-12T15:00:58Z`.
    #[serde(skip_serializing_if = "is_no_time")]
    pub last_modified: Option<String>,
}

/// Who reads a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

impl Annotations {
    /// Sets the intended readers.
    pub fn audience(mut self, audience: impl IntoIterator<Item = Role>) -> Self {
        self.audience = audience.into_iter().collect();
        self
    }

    /// Sets the importance, from 0 (can be omitted) to 1 (required).
    pub fn priority(mut self, priority: f64) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets when the content was last changed, as an ISO 8601 time such as `2025-01-12T15:00:58Z`.
    pub fn last_modified(mut self, time: impl Into<String>) -> Self {
        self.last_modified = Some(time.into());
        self
    }

    /// What clients would refuse.
    pub(crate) fn defects(&self) -> Vec<String> {
        let mut defects = Vec::new();
        if let Some(priority) = self.priority.filter(|it| !(0.0..=1.0).contains(it)) {
            defects.push(format!("its priority {priority} is not from 0 to 1"));
        }
        if let Some(time) = self.last_modified.as_ref().filter(|time| !is_time(time)) {
            defects.push(format!(
                "the time of its last change, {time:?}, must be one such as \
                 \"2025-01-12T15:00:58Z\" (RFC 3339)"
            ));
        }
        defects
    }
}

fn is_no_number(priority: &Option<f64>) -> bool {
    priority.is_none_or(f64::is_nan)
}

fn bounded<S: Serializer>(priority: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    priority.map(|priority| priority.clamp(0.0, 1.0)).serialize(serializer)
}

fn is_no_time(time: &Option<String>) -> bool {
    time.as_ref().is_none_or(|time| !is_time(time))
}
