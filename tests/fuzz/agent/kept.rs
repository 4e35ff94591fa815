//! Lines of a CLI that are tried each time.

use serde_json::Value;

use super::answers::asking;
use super::due::Due;
use super::lies::Liar;
use super::lines::{Effect, must_be_answered};
use super::plans::ID;
use super::{assert_sound, panics, requests, run_with};
use crate::rss::Tenths;

/// In a request `#` stands for its id. What has the id of a request of ours is tried as the answer
/// to each of them.
const KEPT: &str = include_str!("../corpus/control.jsonl");

/// A line that is delivered as a message.
fn is_message(line: &str) -> bool {
    let Ok(Value::Object(members)) = serde_json::from_str(line) else { return false };
    let internal = ["keep_alive", "transcript_mirror"];
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    !kind.starts_with("control_") && !internal.contains(&kind)
}

#[tokio::test]
async fn each_kept_line_is_delivered_or_answered_once() {
    panics();
    let mut liar = Liar::new(0);
    for line in KEPT.lines().filter(|line| !line.contains(ID)) {
        let said = match must_be_answered(line.as_bytes(), "#") || is_message(line) {
            true => liar.line(is_message(line), false, line),
            false => (line.into(), Effect::Damaged),
        };
        liar.list.push(said);
    }
    liar.list.reverse();
    liar.says_its_list();
    let count = liar.list.len() as u64;
    assert!(count > 30, "{count} lines are kept");
    let ledger = run_with(Box::new(liar), 0, count, &mut Tenths::default()).await;
    assert_sound(&ledger, 0);
}

#[tokio::test]
async fn each_kept_answer_is_one_to_each_request() {
    let kept: Vec<_> = KEPT.lines().filter(|line| line.contains(ID)).collect();
    assert!(kept.len() > 30, "{} answers are kept", kept.len());
    asking(async |asked| {
        for ours in requests::all() {
            for line in &kept {
                let outcome = asked.outcome(&ours, &[line]).await;
                asked.check(Due::of(line).fault(&ours, &outcome));
            }
        }
    })
    .await;
}
