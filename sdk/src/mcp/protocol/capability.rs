//! What a client supports.

use serde_json::{Map, Value, json};

use super::{ErrorObject, Profile, task};
use crate::scan;

/// A capability of a client that a question needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capability {
    /// It shows forms.
    Elicitation,
    /// It opens URLs.
    ElicitationUrl,
    Sampling,
    /// It lets the model call tools of the server.
    SamplingTools,
    Roots,
    /// It asks for the results of tasks.
    Tasks,
}

impl Capability {
    /// True if the capabilities of a client, a JSON text, have it.
    pub(crate) fn is_in(self, capabilities: &str, profile: &Profile) -> bool {
        let (name, member) = self.path();
        let Some(found) = scan::member(capabilities, name).filter(|text| text.starts_with('{'))
        else {
            return false;
        };
        let has =
            |member: &str| scan::member(found, member).is_some_and(|text| text.starts_with('{'));
        match self {
            Self::Elicitation => profile.has_elicitation && (has("form") || !has("url")),
            Self::ElicitationUrl => profile.has_url_elicitation && has("url"),
            Self::SamplingTools => profile.has_sampling_tools && has("tools"),
            Self::Tasks => profile.has_extensions && has(task::EXTENSION),
            Self::Sampling | Self::Roots => member.is_none(),
        }
    }

    /// The error of a call that needs what its client does not declare.
    pub(crate) fn missing(all: &[Self]) -> ErrorObject {
        let required = Self::declaration(all.iter().copied());
        let names: Vec<_> = required.keys().map(String::as_str).collect();
        let what = match all {
            [Self::Tasks] => format!("extension {}", task::EXTENSION),
            _ => format!("capability {}", names.join(" and ")),
        };
        let message = format!("The client must declare the {what}");
        let data = json!({"requiredCapabilities": required});
        ErrorObject::new(ErrorObject::MISSING_CLIENT_CAPABILITY, message).with_data(data)
    }

    /// What a client declares that has all of these.
    pub(crate) fn declaration(all: impl Iterator<Item = Self>) -> Map<String, Value> {
        let mut declared = Map::new();
        for (name, member) in all.map(Self::path) {
            let entry = declared.entry(name).or_insert_with(|| json!({}));
            if let Some(member) = member {
                entry[member] = json!({});
            }
        }
        declared
    }

    /// Its name, and the member that it is.
    fn path(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Elicitation => ("elicitation", Some("form")),
            Self::ElicitationUrl => ("elicitation", Some("url")),
            Self::Sampling => ("sampling", None),
            Self::SamplingTools => ("sampling", Some("tools")),
            Self::Roots => ("roots", None),
            Self::Tasks => ("extensions", Some(task::EXTENSION)),
        }
    }
}
