//! A CLI that lies in each member of what it calls hooks and callbacks with.

use std::collections::HashMap;

use serde_json::Value;

use super::cli::Ledger;
use super::inputs::{bodies, seen};
use super::lies::{Liar, is_inside};
use super::lines::Effect;
use super::shown::Shown;
use super::{assert_sound, panics, run_on};
use crate::lie::Truth;
use crate::rss::Tenths;

/// A lie about one of these may be answered without the callback, or by it in another way.
const DECISIVE: [&str; 5] = [
    "request/callback_id",
    "request/tool_name",
    "request/input",
    "request/requested_schema",
    "request/mode",
];

/// Members that all inputs of hooks read alike: lies about them are told to each of so many.
const SHARED: [&str; 7] = [
    "hook_event_name",
    "session_id",
    "transcript_path",
    "cwd",
    "prompt_id",
    "permission_mode",
    "effort",
];
const EACH: usize = 8;

/// What was said of a place, and the id of the answer, if there must be one.
struct Said {
    place: String,
    told: String,
    id: Option<String>,
}

fn is_shared(place: &str) -> bool {
    let name = place.strip_prefix("request/input/").and_then(|name| name.split('/').next());
    name.is_some_and(|name| SHARED.contains(&name))
}

/// Rust's types can hold all of it.
fn is_held(told: &str) -> bool {
    serde_json::from_str::<Value>(&told.replace("\\ud800", "")).is_ok()
}

#[tokio::test]
async fn a_lie_to_a_callback_affects_nothing_else() {
    panics();
    let mut liar = Liar::new(0);
    let mut all = Vec::new();
    for (at, body) in bodies().into_iter().enumerate() {
        let text = format!(r##"{{"type":"control_request","request_id":"#","request":{body}}}"##);
        let truth = Truth::of(&text);
        let is_told = |place: &str| at.is_multiple_of(EACH) || !is_shared(place);
        let lies = truth.lies().filter(|(place, _)| is_told(place));
        let lies = lies.map(|(place, told)| (place.to_owned(), told));
        let mut said = Vec::new();
        for (place, told) in
            [("request/input/".to_owned(), truth.told(&[]))].into_iter().chain(lies)
        {
            let (line, effect) = liar.line(false, is_inside(&place), &told);
            let id = match &effect {
                Effect::Answer(id) => Some(id.clone()),
                _ => None,
            };
            liar.list.push((line, effect));
            said.push(Said { place, told, id });
        }
        all.push(said);
    }
    liar.list.reverse();
    liar.says_its_list();
    let count = liar.list.len() as u64;
    assert!(count > 10_000, "{count} lies");
    let ledger = Ledger::default();
    ledger.with(|pages| pages.heard = Some(HashMap::new()));
    run_on(&ledger, Box::new(liar), 0, count, &mut Tenths::default()).await;
    assert_sound(&ledger, 0);
    let heard = ledger.with(|pages| pages.heard.take()).unwrap();
    let faults: Vec<_> = all.iter().flat_map(|said| faults(said, &heard)).collect();
    assert!(faults.is_empty(), "{} faults: {:#?}", faults.len(), &faults[..faults.len().min(20)]);
}

/// What is wrong with the testimonies of one callback, the first of which is the truth.
fn faults(said: &[Said], heard: &HashMap<String, String>) -> Vec<String> {
    let shown = |said: &Said| {
        let seen = seen(heard.get(said.id.as_ref()?)?)?;
        Some(Shown::of(&seen))
    };
    let Some(truth) = shown(&said[0]) else { return vec![format!("silence: {}", said[0].told)] };
    let mut faults = Vec::new();
    for lies in said[1..].chunk_by(|one, other| one.place == other.place) {
        // The first lie about a place is that there is none.
        let without = shown(&lies[0]);
        for lie in lies.iter().filter(|lie| is_inside(&lie.place)) {
            let is_decisive = DECISIVE.contains(&&*lie.place);
            faults.extend(match shown(lie) {
                Some(shown) if !is_decisive => truth.fault(without.as_ref(), &shown, &lie.place),
                None if !is_decisive && is_held(&lie.told) => {
                    Some(format!("silence after {:.300}", lie.told))
                }
                _ => None,
            });
        }
    }
    faults
}
