//! A CLI whose messages, requests and answer to `initialize` lie in every field.

use std::time::{Duration, Instant};

use toolwright::agent::{AgentClient, Message};

use super::cli::{Cli, END, Ledger, Says};
use super::inputs;
use super::lines::{Effect, MARK, REQUESTS, must_be_answered};
use super::{TOO_LONG, assert_sound, options, panics, run_with};
use crate::dice::Dice;
use crate::lie::Truth;
use crate::rss::Tenths;
use crate::setting;

/// One message of each kind.
const GOLDEN: &str = include_str!("../../../sdk/src/agent/message/tests/golden.jsonl");
/// An answer to `initialize`.
const INFO: &str = r#"{"commands":[{"name":"compact","description":"d","argumentHint":"h","aliases":["c"]}],"agents":[{"name":"a","description":"d","model":"m"}],"output_style":"default","available_output_styles":["default"],"models":[{"value":"default","resolvedModel":"m","displayName":"d","description":"e","supportsEffort":true,"supportedEffortLevels":["low"]}],"account":{"email":"e","organization":"o","tokenSource":"none","apiKeySource":"none","apiProvider":"firstParty"},"pid":7,"claude_code_version":"2.1.328","hooks_applied":true,"hook_on_failure_supported":true,"session_state":"idle","capabilities":["x"]}"#;

/// A message, or a request with `#` in place of its id.
struct Statement {
    truth: Truth,
    is_message: bool,
}

/// Says what is in the list, or random lies if the list is empty.
pub(super) struct Liar {
    statements: Vec<Statement>,
    pub(super) list: Vec<(Vec<u8>, Effect)>,
    dice: Dice,
    number: u64,
}

fn request(body: &str) -> Statement {
    let body = body.replace("ID", "7");
    let text = format!(r##"{{"type":"control_request","request_id":"#","request":{body}}}"##);
    Statement { truth: Truth::of(&text), is_message: false }
}

fn statements() -> Vec<Statement> {
    let message = |line: &str| Statement { truth: Truth::of(line), is_message: true };
    GOLDEN.lines().map(message).chain(REQUESTS.into_iter().map(request)).collect()
}

impl Liar {
    pub(super) fn new(seed: u64) -> Self {
        let (list, dice) = (Vec::new(), Dice::new(seed));
        let bodies = inputs::bodies();
        let mut statements = statements();
        statements.extend(bodies.iter().map(|body| request(body)));
        Self { statements, list, dice, number: 0 }
    }

    /// Has it say its list and nothing else.
    pub(super) fn says_its_list(&mut self) {
        self.statements.clear();
    }

    /// Each lie about each place.
    fn exhaustive() -> Self {
        let mut liar = Self::new(0);
        liar.says_its_list();
        for Statement { truth, is_message } in statements() {
            for (place, told) in truth.lies() {
                let is_inside = is_inside(place);
                let line = liar.line(is_message, is_inside, &told);
                liar.list.push(line);
            }
        }
        liar.list.reverse();
        liar
    }

    /// The line, and what it must lead to; `is_inside` if what makes it a request is true.
    pub(super) fn line(
        &mut self,
        is_message: bool,
        is_inside: bool,
        told: &str,
    ) -> (Vec<u8>, Effect) {
        self.number += 1;
        let id = format!("{MARK}{}", self.number);
        if is_message {
            let rest = told.strip_suffix('}').unwrap();
            let comma = if rest.len() > 1 { "," } else { "" };
            let line = format!(r#"{rest}{comma}"seq":"{id}"}}"#);
            return (line.into_bytes(), Effect::Delivered);
        }
        let is_due = must_be_answered(told.as_bytes(), "#") && !may_be_cancelled(told);
        match is_inside || is_due {
            true => (told.replacen("\"#\"", &format!("\"{id}\""), 1).into(), Effect::Answer(id)),
            false => {
                let other = format!("\"m{}\"", self.number);
                (told.replacen("\"#\"", &other, 1).into(), Effect::Damaged)
            }
        }
    }
}

/// A lie about this place of a request leaves it one that must be answered.
pub(super) fn is_inside(place: &str) -> bool {
    place.starts_with("request/") && !["request/subtype", "request/dialog_kind"].contains(&place)
}

/// A call whose id is not the usual one, which a lie of a cancellation may name.
fn may_be_cancelled(told: &str) -> bool {
    told.contains("tools/call") && told.split("\"id\":").skip(1).any(|id| !id.starts_with("7,"))
}

impl Says for Liar {
    fn next(&mut self) -> (Vec<u8>, Effect) {
        if self.statements.is_empty() {
            return self.list.pop().unwrap();
        }
        let at = self.dice.roll(self.statements.len());
        let Statement { truth, is_message } = &self.statements[at];
        let (told, is_message) = (truth.told_by(&mut self.dice), *is_message);
        self.line(is_message, false, &told)
    }
}

#[tokio::test]
async fn each_lie_of_a_cli_is_delivered_or_answered_once() {
    panics();
    let liar = Liar::exhaustive();
    let count = liar.list.len() as u64;
    assert!(count > 10_000, "{count} lies");
    let ledger = run_with(Box::new(liar), 0, count, &mut Tenths::default()).await;
    assert_sound(&ledger, 0);
    assert!(ledger.with(|pages| pages.due) > 1_000);
}

#[tokio::test]
async fn random_lies_of_a_cli_are_delivered_or_answered_once() {
    panics();
    let seed = setting("FUZZ_SEED", 1);
    let ledger = run_with(Box::new(Liar::new(seed)), seed, 5_000, &mut Tenths::default()).await;
    assert_sound(&ledger, seed);
    assert!(ledger.with(|pages| pages.due) > 300);
}

/// `FUZZ_LIES` lies in one run, from `FUZZ_SEED` on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes as long as one likes"]
async fn many_random_lies_of_a_cli_are_delivered_or_answered_once() {
    panics();
    let (count, seed) = (setting("FUZZ_LIES", 1_000_000), setting("FUZZ_SEED", 1_000));
    let (begin, mut tenths) = (Instant::now(), Tenths::default());
    let ledger = run_with(Box::new(Liar::new(seed)), seed, count, &mut tenths).await;
    let (answers, due, asked) = ledger.with(|pages| (pages.answers, pages.due, pages.asked));
    let time = begin.elapsed();
    eprintln!("{count} lies, {answers} answers, {due} of them due, asked {asked:?} in {time:?}");
    assert_sound(&ledger, seed);
    tenths.assert_flat();
}

/// Whatever the CLI says about itself, the client connects, or fails with an error.
#[tokio::test]
async fn lies_about_the_cli_itself_keep_nobody_waiting() {
    panics();
    let (mut connected, truth) = (0, Truth::of(INFO));
    for (place, told) in truth.lies() {
        let ledger = Ledger::default();
        ledger.with(|pages| pages.info = Some(told.clone()));
        let cli = Cli { ledger: ledger.clone(), lines: Box::new(Liar::new(0)), count: 0 };
        let connects = AgentClient::connect_with(cli, options());
        let Ok(client) = tokio::time::timeout(TOO_LONG, connects).await else {
            panic!("it waits for ever after a lie about {place}: {told:.200}");
        };
        let Ok(mut client) = client else { continue };
        connected += 1;
        let _ = format!("{:?}", client.server_info());
        let next = tokio::time::timeout(TOO_LONG, client.messages().next()).await;
        let is_end = |message: &Message| message.raw() == END;
        assert!(next.unwrap().is_some_and(|next| next.as_ref().is_ok_and(is_end)), "{place}");
        tokio::time::timeout(TOO_LONG, client.close()).await.unwrap();
        assert_sound(&ledger, 0);
    }
    // What is wrong in one member affects no other.
    assert!(connected * 10 > Truth::of(INFO).lies().count() * 9, "{connected} have connected");
}

#[test]
fn the_messages_with_lies_are_read_as_they_are() {
    for line in GOLDEN.lines() {
        for (place, told) in Truth::of(line).lies() {
            let message = Message::parse(&*told);
            assert_eq!(message.raw(), told, "{place}");
            let _ = format!("{message:?}");
            let mut events = toolwright::agent::view::Events::default();
            for event in events.read(&message, Duration::ZERO) {
                let _ = serde_json::to_string(&event).unwrap();
            }
        }
    }
}
