//! A CLI whose answers to the agent's own requests lie in every field.

use serde_json::{Value, json};
use toolwright::agent::{AgentClient, ControlError, Handle};

use super::asker::{success, together};
use super::cli::{Cli, END, Ledger};
use super::due::{Due, LATE};
use super::lies::Liar;
use super::lines::{Effect, MARK};
use super::plans::{ID, Plan};
use super::requests::{self, Ours, Outcome};
use super::shown::Shown;
use super::{TOO_LONG, assert_sound, options, panics};
use crate::lie::Truth;

/// The last message.
const DONE: &str = r#"{"type":"done"}"#;
/// Each of so many requests is refused with each lie.
const REFUSED: usize = 6;
/// An answer that says no.
const REFUSAL: &str = r#"{"type":"control_response","response":{"subtype":"error","request_id":"req_№","error":"no","error_code":"c"}}"#;

/// Requests one after the other, each with a message behind its answer.
pub(super) struct Asked {
    agent: Handle,
    ledger: Ledger,
    count: u64,
}

impl Asked {
    /// The outcome of a request after which the CLI says this.
    pub(super) async fn outcome(&mut self, ours: &Ours, said: &[&str]) -> Outcome {
        self.count += 1;
        let message = format!(r#"{{"type":"x","seq":"{MARK}{}"}}"#, self.count);
        let said = said.iter().chain([&LATE]).map(|line| ((*line).to_owned(), Effect::Nothing));
        let lines = said.chain([(message, Effect::Delivered)]).collect();
        self.ledger.with(|pages| pages.plans.add(Plan { lines, rank: 0 }));
        together(&self.agent, std::slice::from_ref(ours)).await.remove(0)
    }

    pub(super) fn check(&self, fault: Option<String>) {
        self.ledger.with(|pages| fault.into_iter().for_each(|fault| pages.fault(fault)));
    }
}

/// Runs a CLI that is asked something and says nothing else.
pub(super) async fn asking(ask: impl AsyncFnOnce(&mut Asked)) {
    panics();
    let ledger = Ledger::default();
    let mut client = connect(&ledger).await;
    let mut asked = Asked { agent: client.handle(), ledger: ledger.clone(), count: 0 };
    let ask = async {
        ask(&mut asked).await;
        ledger.say(DONE);
    };
    tokio::join!(ask, read(&mut client, &ledger));
    client.close().await;
    ledger.close();
    assert_sound(&ledger, 0);
}

/// Reads messages up to the last one.
async fn read(client: &mut AgentClient, ledger: &Ledger) {
    let mut messages = client.messages();
    loop {
        let next = tokio::time::timeout(TOO_LONG, messages.next()).await;
        let message = next.expect("a message is missing").unwrap().unwrap();
        match message.raw() {
            DONE => break,
            raw => ledger.delivered(raw),
        }
    }
}

/// A client of a CLI that answers requests and does nothing else.
async fn connect(ledger: &Ledger) -> AgentClient {
    let cli = Cli { ledger: ledger.clone(), lines: Box::new(Liar::new(0)), count: 0 };
    AgentClient::connect_with(cli, options()).await.unwrap()
}

/// Answers with each lie about each place; the first about a place is that there is none, and a
/// last one that an object there has a member more.
fn lies(truth: &str) -> Vec<(String, String)> {
    let value: Value = serde_json::from_str(truth).unwrap();
    let truth = Truth::of(truth);
    let all: Vec<_> = truth.lies().map(|(place, told)| (place.to_owned(), told)).collect();
    let with_more = |lies: &[(String, String)]| {
        let mut lies = lies.to_vec();
        let (place, mut value) = (lies[0].0.clone(), value.clone());
        if let Some(Value::Object(members)) = value.pointer_mut(&format!("/{place}")) {
            members.insert("a newer member".to_owned(), json!({"type": [1]}));
            lies.push((place, value.to_string()));
        }
        lies
    };
    all.chunk_by(|one, other| one.0 == other.0).flat_map(with_more).collect()
}

#[tokio::test]
async fn a_lie_in_an_answer_affects_nothing_else() {
    asking(async |asked| {
        for ours in requests::all() {
            let truth = success(&ours);
            let shown = Shown::of(&asked.outcome(&ours, &[&truth]).await.unwrap());
            for lies in lies(&truth).chunk_by(|one, other| one.0 == other.0) {
                let mut without = None;
                for (at, (place, told)) in lies.iter().enumerate() {
                    let outcome = asked.outcome(&ours, &[told]).await;
                    asked.check(Due::of(told).fault(&ours, &outcome));
                    let Ok(seen) = outcome.map(|seen| Shown::of(&seen)) else { continue };
                    // Without an answer there is nothing to compare with.
                    if place.starts_with("response/response/") {
                        let fault = shown.fault(without.as_ref(), &seen, place);
                        asked.check(fault.map(|fault| format!("{}: {fault}", ours.subtype)));
                    }
                    if at == 0 {
                        without = Some(seen);
                    }
                }
            }
        }
        assert!(asked.count > 10_000, "{} lies", asked.count);
    })
    .await;
}

#[tokio::test]
async fn a_request_has_one_answer_of_those_that_come() {
    let refusals = lies(REFUSAL);
    asking(async |asked| {
        for (at, ours) in requests::all().into_iter().enumerate() {
            let truth = success(&ours);
            for (_, told) in refusals.iter().filter(|_| at.is_multiple_of(REFUSED)) {
                let outcome = asked.outcome(&ours, &[told]).await;
                asked.check(Due::of(told).fault(&ours, &outcome));
            }
            let refusal = || Due::Refusal(Some("no".into()), Some("c".into()));
            for (said, due) in [
                (vec![&*truth, REFUSAL], Due::Answer),
                (vec![REFUSAL, &truth], refusal()),
                (vec![&truth, &truth, &truth], Due::Answer),
                (vec!["", "{", &truth], Due::Answer),
                (vec![], Due::Late),
            ] {
                let outcome = asked.outcome(&ours, &said).await;
                asked.check(due.fault(&ours, &outcome));
            }
            for id in ["req_0", "req_", "req_0№", "req_+№", "req_№0", " req_№", "REQ_№", "№", "x"]
            {
                let stray = truth.replace(ID, id);
                let outcome = asked.outcome(&ours, &[&stray]).await;
                asked.check(Due::Late.fault(&ours, &outcome));
                let outcome = asked.outcome(&ours, &[&stray, &truth]).await;
                asked.check(Due::Answer.fault(&ours, &outcome));
            }
        }
    })
    .await;
}

#[tokio::test]
async fn the_end_of_the_output_ends_each_request() {
    panics();
    let all = requests::all();
    // Every request is answered, each of so many, or none.
    for every in [1, 2, 5, usize::MAX] {
        let ledger = Ledger::default();
        let mut client = connect(&ledger).await;
        let is_answered = |at: usize| every != usize::MAX && at.is_multiple_of(every);
        ledger.with(|pages| {
            for (at, ours) in all.iter().enumerate() {
                let line = match is_answered(at) {
                    true => success(ours),
                    false => success(ours).split_at(20 + at).0.to_owned(),
                };
                let lines = vec![(line, Effect::Nothing)];
                pages.plans.add(Plan { lines, rank: at % 7 });
            }
            pages.plans.is_last = true;
        });
        let outcomes = together(&client.handle(), &all).await;
        for (at, (ours, outcome)) in all.iter().zip(&outcomes).enumerate() {
            let is_right = match outcome {
                Ok(_) => is_answered(at),
                Err(ControlError::Closed { subtype, .. }) => {
                    !is_answered(at) && subtype == ours.subtype
                }
                Err(_) => false,
            };
            assert!(is_right, "{}, one of {every}: {outcome:?}", ours.subtype);
        }
        let mut messages = Vec::new();
        while let Some(next) =
            tokio::time::timeout(TOO_LONG, client.messages().next()).await.unwrap()
        {
            messages.push(next.unwrap().raw().to_owned());
        }
        assert_eq!(messages[0], END);
        let outcome = together(&client.handle(), &all[..1]).await.remove(0);
        assert!(matches!(outcome, Err(ControlError::Closed { .. })), "{outcome:?}");
        client.close().await;
        assert_sound(&ledger, 0);
    }
}
