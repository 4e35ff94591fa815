//! Tasks as clients see them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::POLL;

/// What a task does, with its JSON texts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Status<'a> {
    Working,
    /// It waits for the answers to these questions.
    InputRequired(&'a str),
    Cancelled,
    Completed(&'a str),
    Failed(&'a str),
}

impl<'a> Status<'a> {
    pub(crate) fn of_questions(questions: Option<&'a str>) -> Self {
        questions.map_or(Self::Working, Self::InputRequired)
    }

    pub(crate) fn of_end(end: &'a Result<String, String>) -> Self {
        match end {
            Ok(result) => Self::Completed(result),
            Err(error) => Self::Failed(error),
        }
    }

    /// The members `status` and what it comes with.
    pub(crate) fn members(self) -> String {
        match self {
            Self::Working => "\"status\":\"working\"".to_owned(),
            Self::InputRequired(questions) => {
                format!("\"status\":\"input_required\",\"inputRequests\":{questions}")
            }
            Self::Cancelled => "\"status\":\"cancelled\"".to_owned(),
            Self::Completed(result) => format!("\"status\":\"completed\",\"result\":{result}"),
            Self::Failed(error) => format!("\"status\":\"failed\",\"error\":{error}"),
        }
    }
}

/// The members of a result that has the state of a task: `status` are those of its status, and the
/// times are when it was created and when it was changed last.
pub(crate) fn members(id: &str, status: &str, times: [SystemTime; 2], ttl: Duration) -> String {
    let (created, updated) = (written(times[0]), written(times[1]));
    let (ttl, poll) = (ttl.as_millis(), POLL.as_millis());
    format!(
        "\"taskId\":\"{id}\",{status},\"createdAt\":\"{created}\",\
         \"lastUpdatedAt\":\"{updated}\",\"ttlMs\":{ttl},\"pollIntervalMs\":{poll}"
    )
}

/// A time in RFC 3339, in UTC and with milliseconds.
pub(super) fn written(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (day, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(day);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// The year, month and day of a day that is so many days after 1970-01-01. Years are counted from
/// March here, so that a leap day is the last day of its year.
fn date(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}
