//! What a tool has reported in a unit test.

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::asked::{Answering, Asked};
use super::link::AskError;
use super::protocol::{CustomNotification, LoggingLevel};

/// What a tool has reported to a [detached context](crate::Context::detached): what a client that
/// asks for progress and for logs of every level would have received.
///
/// ```
/// use toolwright::{Context, LoggingLevel};
///
/// let cx = Context::detached();
/// cx.progress(0.5, "half way");
/// cx.log(LoggingLevel::Warning, "the index is old");
///
/// let recorded = cx.recorded();
/// assert_eq!(recorded.progress, [(0.5, 1.0, "half way")]);
/// assert_eq!(recorded.logs, [(LoggingLevel::Warning, "the index is old")]);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Recorded {
    /// The first 1,024 reports of progress, in order. As a client gets no progress that has not
    /// grown, there is none here.
    pub progress: Vec<Progress>,
    /// The first 1,024 log messages, in order.
    pub logs: Vec<Log>,
    /// The method and the parameters of the first 1,024 notifications of
    /// [`Context::notify`](crate::Context::notify) and
    /// [`Context::notify_session`](crate::Context::notify_session), in order.
    pub notifications: Vec<(String, Value)>,
}

/// A report of progress. In a test it can be compared with a tuple.
///
/// ```
/// use toolwright::mcp::Progress;
///
/// let progress = Progress { done: 2.0, total: 8.0, message: "2 files of 8".into() };
/// assert_eq!(progress, (2.0, 8.0, "2 files of 8"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How much is done, of `total`.
    pub done: f64,
    /// How much there is to do: 1 for [`Context::progress`](crate::Context::progress), and 0 if the
    /// tool does not know.
    pub total: f64,
    /// What the tool does now; may be empty.
    pub message: String,
}

/// A log message. In a test it can be compared with a tuple of its level and its value.
///
/// ```
/// use toolwright::mcp::Log;
/// use toolwright::{LoggingLevel, json};
///
/// let log = Log { level: LoggingLevel::Info, value: json!({"rows": 3}), logger: None };
/// assert_eq!(log, (LoggingLevel::Info, json!({"rows": 3})));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// How severe it is.
    pub level: LoggingLevel,
    /// The value that was logged.
    pub value: Value,
    /// The part of the program that logs, if the tool names it.
    pub logger: Option<String>,
}

/// The record of one context.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    recorded: Mutex<Recorded>,
    /// Without it nobody can be asked.
    answering: Mutex<Option<Answering>>,
}

impl Recorder {
    /// How many reports of each kind are kept.
    const MOST: usize = 1_024;

    #[inline]
    pub(crate) fn progress(&self, done: f64, total: f64, message: &str) {
        let progress = &mut self.lock().progress;
        let is_more = progress.last().is_none_or(|last| done > last.done);
        let is_number = done.is_finite() && total.is_finite();
        if is_more && is_number && progress.len() < Self::MOST {
            progress.push(Progress { done, total, message: message.to_owned() });
        }
    }

    #[inline]
    pub(crate) fn log(&self, logger: Option<&str>, level: LoggingLevel, value: Value) {
        let logs = &mut self.lock().logs;
        if logs.len() < Self::MOST {
            logs.push(Log { level, value, logger: logger.map(Into::into) });
        }
    }

    #[inline]
    pub(crate) fn notification(&self, custom: &CustomNotification) {
        let notifications = &mut self.lock().notifications;
        if notifications.len() < Self::MOST {
            let params = custom.params.parse().unwrap_or_default();
            notifications.push((custom.method.clone(), params));
        }
    }

    /// The JSON text of the answer to a question whose parameters have these members.
    #[inline]
    pub(crate) fn answer(&self, method: &str, params: &str) -> Result<String, AskError> {
        let Some(Answering(answer)) = self.answering() else { return Err(AskError::Unsupported) };
        let params = serde_json::from_str(&format!("{{{params}}}"));
        let params = params.map_err(|error| AskError::Invalid(error.to_string()))?;
        answer(Asked::new(method, params)).into_text()
    }

    #[inline]
    pub(crate) fn answering(&self) -> Option<Answering> {
        self.answering.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Who answers from now on.
    pub(crate) fn answer_by(&self, answering: Answering) {
        let mut known = self.answering.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.replace(answering);
        drop(known);
        drop(before);
    }

    #[inline]
    pub(crate) fn recorded(&self) -> Recorded {
        self.lock().clone()
    }

    #[inline]
    fn lock(&self) -> MutexGuard<'_, Recorded> {
        self.recorded.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq<(f64, f64, &str)> for Progress {
    fn eq(&self, (done, total, message): &(f64, f64, &str)) -> bool {
        self.done == *done && self.total == *total && self.message == *message
    }
}

impl<V> PartialEq<(LoggingLevel, V)> for Log
where
    Value: PartialEq<V>,
{
    fn eq(&self, (level, value): &(LoggingLevel, V)) -> bool {
        self.level == *level && self.value == *value
    }
}

#[cfg(test)]
mod tests;
