//! Which kinds of answer a client takes.

use http::header::ACCEPT;
use http::{HeaderMap, StatusCode};

use super::refusal::Refusal;

/// The kinds that a client takes. MCP demands that it takes both; clients in the field take one,
/// or name none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Accepts {
    pub(super) json: bool,
    pub(super) stream: bool,
}

impl Accepts {
    pub(super) fn read(headers: &HeaderMap) -> Result<Self, Refusal> {
        let mut lines = headers.get_all(ACCEPT).iter().peekable();
        if lines.peek().is_none() {
            return Ok(Self { json: true, stream: true });
        }
        // The most specific range that matches a type counts, as RFC 9110 section 12.5.1 demands.
        let mut found = [None::<(u8, bool)>; 2];
        for line in lines {
            for range in line.to_str().unwrap_or_default().split(',') {
                let mut parts = range.split(';').map(str::trim);
                let range = parts.next().unwrap_or_default();
                let is_taken = !parts.any(is_zero_quality);
                for (at, [whole, half]) in
                    [["application/json", "application/*"], ["text/event-stream", "text/*"]]
                        .into_iter()
                        .enumerate()
                {
                    let rank = match range {
                        "*/*" => 1,
                        range if range.eq_ignore_ascii_case(half) => 2,
                        range if range.eq_ignore_ascii_case(whole) => 3,
                        _ => continue,
                    };
                    if found[at].is_none_or(|(other, _)| other <= rank) {
                        found[at] = Some((rank, is_taken));
                    }
                }
            }
        }
        let [json, stream] = found.map(|found| found.is_some_and(|(_, is_taken)| is_taken));
        match json || stream {
            true => Ok(Self { json, stream }),
            false => Err(Refusal::plain(
                StatusCode::NOT_ACCEPTABLE,
                "`Accept` must allow application/json or text/event-stream",
            )),
        }
    }
}

/// `q=0`, in any of its forms.
fn is_zero_quality(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q") && value.trim().parse() == Ok(0.0)
}
