//! A client whose answers to the server's questions lie in every field. The call that has asked is
//! still answered once.

use super::lies::send;
use super::world::World;
use super::{LIFE, assert_none};
use crate::dice::Dice;
use crate::lie::Truth;

const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}},"roots":{}},"clientInfo":{"name":"c","version":"1"}}}"#;
/// So often a true answer may follow a lie until the call is done: it asks at most so often.
const TIMES: usize = 8;

const FORM: &str =
    r#"{"action":"accept","content":{"city":"Bonn","express":true,"parcels":2},"_meta":{"a":1}}"#;
const SAMPLED: &str = r#"{"role":"assistant","content":[{"type":"text","text":"Tea."},{"type":"tool_use","id":"t","name":"add","input":{"a":1,"b":2}}],"model":"m","stopReason":"toolUse"}"#;
const ROOTS: &str = r#"{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}"#;
const REFUSAL: &str = r#"{"code":-1,"message":"no","data":{"a":[1]}}"#;
const REFUSED: &str = r#"{"jsonrpc":"2.0","id":"@asked","error":{"code":-1,"message":"no"}}"#;

/// The method and the params of a call that asks, and the answer to each of its questions.
const LEGACY: [(&str, &str, &str, &str); 10] = [
    ("tools/call", r#""name":"ship""#, "result", FORM),
    ("tools/call", r#""name":"ship","_meta":{"progressToken":1}"#, "error", REFUSAL),
    ("tools/call", r#""name":"slogan""#, "result", SAMPLED),
    ("tools/call", r#""name":"folders""#, "result", ROOTS),
    ("tools/call", r#""name":"both""#, "result", ROOTS),
    ("tools/call", r#""name":"both""#, "result", FORM),
    ("tools/call", r#""name":"either""#, "result", FORM),
    ("prompts/get", r#""name":"survey""#, "result", FORM),
    ("prompts/get", r#""name":"survey""#, "error", REFUSAL),
    ("resources/read", r#""uri":"ask://roots""#, "result", ROOTS),
];

/// The same since 2026-07-28, where the next request has the answers, by the keys of the questions.
const MODERN: [(&str, &str, &str, &str); 7] = [
    ("tools/call", r#""name":"ship""#, "elicitation-1", FORM),
    ("tools/call", r#""name":"slogan""#, "sampling-1", SAMPLED),
    ("tools/call", r#""name":"folders""#, "roots-1", ROOTS),
    ("tools/call", r#""name":"both""#, "roots-1", ROOTS),
    ("tools/call", r#""name":"either""#, "elicitation-1", FORM),
    ("prompts/get", r#""name":"survey""#, "elicitation-1", FORM),
    ("resources/read", r#""uri":"ask://roots""#, "roots-1", ROOTS),
];

/// A call that asks, and the line with the answer.
pub(super) struct Question {
    method: &'static str,
    /// The members of its params.
    params: String,
    answer: String,
    truth: Truth,
    is_modern: bool,
}

impl Question {
    pub(super) fn all() -> Vec<Self> {
        let legacy = LEGACY.map(|(method, params, member, answer)| {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":"@asked","{member}":{answer}}}"#);
            Self::of(method, params.to_owned(), answer, false)
        });
        let modern = MODERN.map(|(method, params, key, answer)| {
            let params = format!(r#"{params},"_meta":{{{}}}"#, super::shapes::MODERN);
            let answers = format!(r#""inputResponses":{{"{key}":{answer}}}"#);
            let params_of_answer = format!(r#"{params},{answers},"requestState":"@state""#);
            let answer = request("\"round\"", method, &params_of_answer);
            Self::of(method, params, answer, true)
        });
        legacy.into_iter().chain(modern).collect()
    }

    fn of(method: &'static str, params: String, answer: String, is_modern: bool) -> Self {
        Self { method, params, truth: Truth::of(&answer), answer, is_modern }
    }

    /// Makes the call, answers it with a lie, and then truly.
    fn tell(&self, world: &mut World, number: u64, lie: &str) -> Result<(), String> {
        let before = world.asked();
        send(world, request(&format!("\"call {number}\""), self.method, &self.params))?;
        if world.asked() == before {
            return Err("nothing was asked".to_owned());
        }
        send(world, lie)?;
        // A lie about its revision makes a call of 2026-07-28 one that asks by requests.
        let truth = if self.is_modern { REFUSED } else { &self.answer };
        for _ in 0..TIMES {
            if world.asks() {
                send(world, truth)?;
            }
        }
        match world.asks() {
            true => Err("it asks for ever".to_owned()),
            false => Ok(()),
        }
    }

    /// The same with a random lie.
    pub(super) fn lie(
        &self,
        world: &mut World,
        number: u64,
        dice: &mut Dice,
    ) -> Result<(), String> {
        let lie = self.truth.told_by(dice);
        let told = send(world, HELLO).and_then(|()| self.tell(world, number, &lie));
        told.map_err(|fault| format!("{fault}\n    with the answer {lie:.300}"))
    }
}

fn request(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

#[test]
fn each_lie_in_an_answer_leads_to_one_answer() {
    let (mut faults, mut count, mut asked, mut world) = (Vec::new(), 0_u64, 0, World::new());
    send(&mut world, HELLO).unwrap();
    for question in Question::all() {
        for (place, lie) in question.truth.lies() {
            count += 1;
            let mut told = question.tell(&mut world, count, &lie);
            if told.is_err() || count.is_multiple_of(LIFE / 20) {
                told = told.and_then(|()| world.close());
                asked += world.asked();
                world = World::new();
                send(&mut world, HELLO).unwrap();
            }
            if let Err(fault) = told {
                faults.push(format!("{fault}\n    a lie about {place}: {lie:.300}"));
            }
        }
    }
    faults.extend(world.close().err());
    assert_none(&faults);
    assert!(count > 5_000 && asked > count, "{count} lies, {asked} questions");
}
