//! Replies by what a request says.

use super::conversation::Part;
use super::request::RecordedRequest;
use crate::testing::reply::Reply;

/// A reply to each request with a certain text.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) place: Place,
    pub(super) text: String,
    pub(super) reply: Reply,
}

/// Where the text is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Prompt,
    Result,
    AgentPrompt,
}

impl Rule {
    pub(super) fn fits(&self, part: Part, request: &RecordedRequest) -> bool {
        match (self.place, part) {
            (Place::Prompt, Part::Main) | (Place::AgentPrompt, Part::Agent) => {
                request.prompts().iter().any(|it| it.contains(&self.text))
            }
            (Place::Result, Part::Main) => {
                request.tool_results().iter().any(|result| result.text.contains(&self.text))
            }
            _ => false,
        }
    }
}
