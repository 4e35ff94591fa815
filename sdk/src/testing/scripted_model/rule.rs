//! Replies by what a request says.

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
}

impl Rule {
    pub(super) fn fits(&self, request: &RecordedRequest) -> bool {
        match self.place {
            Place::Prompt => request.prompts().iter().any(|it| it.contains(&self.text)),
            Place::Result => {
                request.tool_results().iter().any(|result| result.text.contains(&self.text))
            }
        }
    }
}
