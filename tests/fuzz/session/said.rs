//! A message of the session.

use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
pub(super) struct Said<'a> {
    pub(super) jsonrpc: &'a str,
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Option<&'a str>,
    #[serde(borrow)]
    pub(super) params: Option<Params<'a>>,
    #[serde(borrow)]
    pub(super) result: Option<Outcome<'a>>,
    pub(super) error: Option<Refused>,
}

#[derive(Deserialize)]
pub(super) struct Params<'a> {
    /// The question that is withdrawn.
    #[serde(rename = "requestId", borrow)]
    pub(super) withdrawn: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome<'a> {
    /// What a handshake has settled.
    pub(super) protocol_version: Option<&'a str>,
    pub(super) result_type: Option<&'a str>,
    /// What the next round begins with.
    pub(super) request_state: Option<&'a str>,
}

#[derive(Deserialize)]
pub(super) struct Refused {
    pub(super) code: i64,
}

/// What kind of message it is.
pub(super) enum Kind<'a> {
    /// A request to the client: its id and its method.
    Question(&'a str, &'a str),
    Notification(&'a str),
    /// The code, if it is an error; the id, if it has one.
    Answer(Option<&'a str>, Option<i64>),
}

impl<'a> Said<'a> {
    /// `None` for a message that is none.
    pub(super) fn kind(&self) -> Option<Kind<'a>> {
        let id = self.id.map(RawValue::get);
        match (self.method, &self.result, &self.error) {
            _ if self.jsonrpc != "2.0" => None,
            (Some(method), None, None) => {
                Some(id.map_or(Kind::Notification(method), |id| Kind::Question(id, method)))
            }
            (None, Some(_), None) => Some(Kind::Answer(id, None)),
            (None, None, Some(error)) => Some(Kind::Answer(id, Some(error.code))),
            _ => None,
        }
    }
}
