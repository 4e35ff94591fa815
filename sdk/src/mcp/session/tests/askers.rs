//! Tools and a prompt that ask their client.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as TaskContext, Poll, Waker};

use serde_json::{Value, json};
use toolwright::{AskError, Context, Prompt, PromptMessage, Tool, prompt, prompts, tool, tools};

/// The context of the last call of `keeps`.
pub(super) static KEPT: Mutex<Option<Context>> = Mutex::new(None);

pub(super) fn tools() -> [Tool; 10] {
    tools![greet, ship, both, for_ever, plain, fickle, think, hasty, keeps, handled]
}

pub(super) fn prompts() -> [Prompt; 1] {
    prompts![review]
}

#[tool]
async fn greet(cx: &Context) -> Result<String, AskError> {
    let answer = cx.elicit_schema("What is your name?", name()).key("user_name").await?;
    let answer = answer.accepted()?;
    Ok(format!("Hello, {}!", answer["name"].as_str().unwrap_or_default()))
}

/// Asks twice, and prints a label in between.
#[tool]
async fn ship(order: u32, cx: &Context) -> Result<String, AskError> {
    let to = cx.elicit_schema("Where to?", json!({"type": "object", "properties": {}})).await?;
    let prints = cx.extension::<Arc<AtomicUsize>>().unwrap();
    let print = async { Ok::<_, AskError>(prints.fetch_add(1, Ordering::Relaxed) + 1) };
    let label = cx.once("label", print).await?;
    let city = to.accepted()?["city"].to_string();
    let ship = cx.confirm(format!("Ship {order} to {city}?")).await?;
    Ok(format!("{order} to {city}, label {label}: {ship}"))
}

#[tool]
async fn both(cx: &Context) -> Result<String, AskError> {
    let (confirm, roots) = (cx.confirm("Sure?").into_future(), cx.roots().into_future());
    let (mut confirm, mut roots) = (pin!(confirm), pin!(roots));
    let (mut sure, mut found) = (None, None);
    poll_fn(|task| {
        if sure.is_none()
            && let Poll::Ready(answer) = confirm.as_mut().poll(task)
        {
            sure = Some(answer);
        }
        if found.is_none()
            && let Poll::Ready(answer) = roots.as_mut().poll(task)
        {
            found = Some(answer);
        }
        match sure.is_some() && found.is_some() {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
    .await;
    let (sure, found) = (sure.unwrap()?, found.unwrap()?);
    Ok(format!("{sure} {}", found[0].uri))
}

#[tool]
async fn for_ever(cx: &Context) -> Result<(), AskError> {
    loop {
        cx.next_round().await?;
    }
}

#[tool]
fn plain(cx: &Context) -> Result<bool, AskError> {
    let mut confirm = cx.confirm("Sure?").into_future();
    match confirm.as_mut().poll(&mut TaskContext::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("it waits"),
    }
}

/// Asks something else each time.
#[tool]
async fn fickle(cx: &Context) -> Result<bool, AskError> {
    let prints = cx.extension::<Arc<AtomicUsize>>().unwrap();
    let files = prints.fetch_add(1, Ordering::Relaxed);
    cx.confirm(format!("Delete {files} files?")).key("delete").await
}

#[tool]
async fn think(cx: &Context) -> Result<String, AskError> {
    Ok(cx.sample("What is the capital of France?").max_tokens(100).await?.text())
}

/// Gives up a question before it is sent.
#[tool]
async fn hasty(cx: &Context) -> &'static str {
    let mut confirm = cx.confirm("Sure?").into_future();
    let task = &mut TaskContext::from_waker(Waker::noop());
    assert!(confirm.as_mut().poll(task).is_pending());
    drop(confirm);
    "done"
}

/// Review.
#[prompt]
async fn review(cx: &Context) -> Result<PromptMessage, AskError> {
    let answer = cx.elicit_schema("What context?", name()).key("context").await?.accepted()?;
    Ok(PromptMessage::user(answer["name"].to_string()))
}

pub(super) fn name() -> Value {
    let name = json!({"type": "string", "maxLength": 10});
    json!({"type": "object", "properties": {"name": name}, "required": ["name"]})
}

#[tool]
async fn keeps(cx: &Context) -> &'static str {
    *KEPT.lock().unwrap() = Some(cx.clone());
    "done"
}

#[tool]
async fn handled(cx: &Context) -> Result<String, String> {
    let _optional = cx.roots().await;
    Err("disk full".into())
}
