//! What a request brings from earlier rounds.

use std::sync::Arc;

use super::keeper::Keeper;
use super::log::Log;
use crate::mcp::places::ByName;
use crate::mcp::protocol::ErrorObject;
use crate::scan::{self, Members};

/// What the request of a run brings from earlier rounds.
#[derive(Clone, Default)]
pub(crate) struct Given {
    pub(crate) log: Option<Arc<Log>>,
    /// The state that has led to the log, and its round; 0 in the first one.
    pub(super) state: Option<Box<str>>,
    pub(super) round: u32,
    /// `None` for most calls, which bring nothing and must not allocate.
    pub(super) answers: Option<Arc<Answers>>,
}

/// The JSON texts of answers, by the keys of the questions.
pub(crate) type Answers = ByName<Box<str>>;

/// The most bytes that an answer may have.
pub(crate) const ANSWER: usize = 1024 * 1024;
/// The most answers of one request.
const ANSWERS: usize = 1_024;

impl Given {
    /// Reads what a request brings: the JSON texts of `inputResponses` and `requestState`.
    /// `request` returns its fingerprint.
    pub(crate) fn read(
        answers: Option<&str>,
        state: Option<&str>,
        keeper: &dyn Keeper,
        request: impl FnOnce() -> u64,
    ) -> Result<Self, ErrorObject> {
        let invalid = |message: &'static str| Err(ErrorObject::invalid_params(message));
        let mut given = Self::default();
        if let Some(state) = state {
            let Some(state) = scan::string(state) else {
                return invalid("`requestState` must be a string");
            };
            let found = keeper.find(&state).filter(|(log, _)| log.request == request());
            let Some((log, round)) = found else {
                return invalid("`requestState` is unknown or expired, or of another request");
            };
            given.log = Some(log);
            given.state = Some(state.into());
            given.round = round;
        }
        if let Some(answers) = answers {
            given.answers = Some(Arc::new(read_answers(answers)?));
        }
        Ok(given)
    }
}

/// Reads the JSON text of `inputResponses`.
pub(crate) fn read_answers(text: &str) -> Result<Answers, ErrorObject> {
    let invalid = |message: &'static str| Err(ErrorObject::invalid_params(message));
    let Ok(mut members) = Members::of(text) else {
        return invalid("`inputResponses` must be an object");
    };
    let mut answers = Answers::default();
    while let Ok(Some(key)) = members.key() {
        let Ok(answer) = members.value() else { break };
        if !answer.starts_with('{') {
            return invalid("each of `inputResponses` must be an object");
        }
        if answer.len() > ANSWER {
            return invalid("an answer in `inputResponses` has more than 1 MiB");
        }
        answers.set(scan::unescape(key).into_owned().into(), answer.into());
        if answers.len() > ANSWERS {
            return invalid("`inputResponses` has more than 1,024 answers");
        }
    }
    Ok(answers)
}
