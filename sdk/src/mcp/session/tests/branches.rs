//! Branches of a function that ask beside each other in 2026-07-28, where each round runs the
//! function from its beginning.

use std::future::{IntoFuture, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use serde_json::{Value, json};
use tokio::try_join;
use toolwright::mcp::Confirm;
use toolwright::{AskError, Context, State, Tool, ToolRegistry, tool, tools};

use super::client::{Client, text};

type Count = Arc<AtomicUsize>;

/// One branch asks once more.
#[tool]
async fn chain(cx: &Context) -> Result<String, AskError> {
    let chain = async { Ok::<_, AskError>((cx.confirm("A?").await?, cx.confirm("B?").await?)) };
    let ((a, b), c) = try_join!(chain, cx.confirm("C?").into_future())?;
    Ok(format!("{a} {b} {c}"))
}

/// One branch waits for something else before it asks.
#[tool]
async fn fetch(cx: &Context) -> Result<String, AskError> {
    let page = async {
        poll_once().await;
        Ok::<_, AskError>("page".to_owned())
    };
    let fetch = async {
        let page = cx.once("page", page).await?;
        cx.confirm(format!("The {page}?")).await
    };
    let (a, c) = try_join!(fetch, cx.confirm("C?").into_future())?;
    Ok(format!("{a} {c}"))
}

/// In each run another branch is the first to ask.
#[tool]
async fn turns(cx: &Context, runs: State<Count>) -> Result<String, AskError> {
    let is_even = runs.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
    let (a, b) = (cx.confirm("A?"), cx.confirm("B?"));
    let (a, b) = try_join!(ask(is_even, a), ask(!is_even, b))?;
    Ok(format!("{a} {b}"))
}

/// The same with names.
#[tool]
async fn named_turns(cx: &Context, runs: State<Count>) -> Result<String, AskError> {
    let is_even = runs.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
    let (a, b) = (cx.confirm("A?").key("a"), cx.confirm("B?").key("b"));
    let (a, b) = try_join!(ask(is_even, a), ask(!is_even, b))?;
    Ok(format!("{a} {b}"))
}

async fn ask(is_first: bool, question: Confirm<'_>) -> Result<bool, AskError> {
    if !is_first {
        poll_once().await;
    }
    question.await
}

/// Two models at work.
#[tool]
async fn models(cx: &Context, tools: State<ToolRegistry>) -> Result<String, AskError> {
    let (a, b) = try_join!(
        cx.sample("4 times").tools(&tools).into_future(),
        cx.sample("4 times too").tools(&tools).into_future()
    )?;
    Ok(a.text() + &b.text())
}

/// A model begins while another one is at work.
#[tool]
async fn late_model(cx: &Context, tools: State<ToolRegistry>) -> Result<String, AskError> {
    let late = async {
        cx.confirm("A?").await?;
        cx.confirm("B?").await?;
        cx.sample("0 times").tools(&tools).await
    };
    let (a, b) = try_join!(late, cx.sample("1 times").tools(&tools).into_future())?;
    Ok(a.text() + &b.text())
}

#[tool]
fn pay(count: State<Count>) -> usize {
    count.fetch_add(1, Ordering::Relaxed)
}

/// Is pending once.
async fn poll_once() {
    let mut has_waited = false;
    poll_fn(|_| match std::mem::replace(&mut has_waited, true) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

fn with(tools: impl IntoIterator<Item = Tool>) -> Client {
    Client::of(|registry| registry.tools(tools))
}

/// With tools for models too. The count is that of payments.
fn with_models(tools: impl IntoIterator<Item = Tool>) -> (Client, Count) {
    let count = Count::default();
    let paying = ToolRegistry::builder("t").state(count.clone()).tools(tools![pay]);
    let mut client = Client::of(|registry| registry.tools(tools).state(paying.build().unwrap()));
    client.capabilities = json!({"elicitation": {}, "sampling": {"tools": {}}});
    (client, count)
}

/// The user agrees. A model pays as often as its prompt says.
fn answer(asked: &Value) -> Value {
    let Some(messages) = asked["messages"].as_array() else { return json!({"action": "accept"}) };
    let prompt = messages[0]["content"]["text"].as_str().unwrap();
    let times: usize = prompt.split(' ').next().unwrap().parse().unwrap();
    let content = match messages.len() / 2 < times {
        true => json!({"type": "tool_use", "id": "id", "name": "pay", "input": {}}),
        false => json!({"type": "text", "text": "."}),
    };
    json!({"role": "assistant", "model": "m", "content": content})
}

/// What the user reads in each round.
fn messages<'a>(rounds: &'a [Vec<Value>]) -> Vec<Vec<&'a str>> {
    let of = |round: &'a Vec<Value>| round.iter().map(|asked| asked["message"].as_str().unwrap());
    rounds.iter().map(|round| of(round).collect()).collect()
}

#[test]
fn a_branch_that_goes_on_leaves_the_answers_of_others_alone() {
    let (rounds, result) = with(tools![chain]).talk("chain", answer);
    assert_eq!(messages(&rounds), [vec!["A?", "C?"], vec!["B?"]]);
    assert_eq!(result, "true true true");
}

#[test]
fn answers_without_a_state_are_taken_in_the_order_of_the_questions() {
    let [yes, no] = ["accept", "decline"].map(|action| json!({"action": action}));
    let answers = json!({"elicitation-1": yes, "elicitation-2": no, "elicitation-3": yes});
    let said = with(tools![chain]).call("chain", json!({"inputResponses": answers}));
    assert_eq!(text(&said), "true false true");
}

#[test]
fn a_branch_that_waits_no_longer_leaves_the_answers_of_others_alone() {
    let (rounds, result) = with(tools![fetch]).talk("fetch", answer);
    assert_eq!(messages(&rounds), [["C?"], ["The page?"]]);
    assert_eq!(result, "true true");
}

#[test]
fn an_answer_is_kept_until_a_run_comes_to_its_question() {
    for tool in ["turns", "named_turns"] {
        let (rounds, result) = with(tools![turns, named_turns]).talk(tool, answer);
        assert_eq!(messages(&rounds), [["A?"], ["B?"]], "{tool}");
        assert_eq!(result, "true true");
    }
}

#[test]
fn an_answer_that_is_read_later_and_cannot_be_used_is_asked_for_once_more() {
    let mut answers = 0;
    let (rounds, result) = with(tools![turns]).talk("turns", |asked| {
        answers += 1;
        if answers == 1 { json!({"action": "explode"}) } else { answer(asked) }
    });
    let read = messages(&rounds);
    assert_eq!(read[..2], [["A?"], ["B?"]]);
    assert!(read[2][0].starts_with("A?\n\nThe last answer did not fit."), "{read:?}");
    assert_eq!(result, "true true");
}

#[test]
fn models_at_work_beside_each_other_need_no_more_rounds_than_one() {
    let (mut client, payments) = with_models(tools![models]);
    let (rounds, result) = client.talk("models", answer);
    assert!(rounds.iter().map(Vec::len).eq([2; 5]), "{rounds:?}");
    assert_eq!((&*result, payments.load(Ordering::Relaxed)), ("..", 8));
}

#[test]
fn the_tools_of_a_model_run_once_whatever_is_asked_beside_it() {
    let (mut client, payments) = with_models(tools![late_model]);
    let (rounds, result) = client.talk("late_model", answer);
    assert!(rounds.iter().map(Vec::len).eq([2, 2, 1]), "{rounds:?}");
    assert_eq!((&*result, payments.load(Ordering::Relaxed)), ("..", 1));
}
