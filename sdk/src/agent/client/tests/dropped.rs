//! Futures that are dropped before they are ready, as `select!` drops them.

use std::pin::pin;
use std::task::Poll;

use super::*;
use crate::agent::query_with;

/// What the CLI says to a prompt.
fn said() -> Vec<String> {
    let text = |text| {
        let message = json!({"content": [{"type": "text", "text": text}]});
        json!({"type": "assistant", "message": message}).to_string()
    };
    vec![text("One."), text("Two."), result("ok")]
}

async fn once<T>(future: impl Future<Output = T>) -> Poll<T> {
    let mut future = pin!(future);
    poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await
}

/// Polls a new future each time, until one is ready.
async fn each_once<T>(mut future: impl AsyncFnMut() -> T) -> T {
    loop {
        if let Poll::Ready(value) = once(future()).await {
            return value;
        }
        tokio::task::yield_now().await;
    }
}

/// All messages up to the result.
async fn all(mut next: impl AsyncFnMut() -> Option<Result<Message, RunError>>) -> Vec<String> {
    let mut heard = Vec::new();
    while heard.len() < said().len() {
        let Some(message) = each_once(&mut next).await else { break };
        heard.push(message.unwrap().raw().to_owned());
    }
    heard
}

#[tokio::test]
async fn a_future_of_a_message_that_is_dropped_loses_none() {
    let cli = || play(|line| is_prompt(line).then(said).into_iter().flatten().collect()).0;
    let mut client = AgentClient::connect_with(cli(), AgentOptions::default()).await.unwrap();
    let mut turn = client.ask("Go.").await.unwrap();
    assert_eq!(all(async || turn.next().await).await, said());

    client.query("Go.").await.unwrap();
    assert_eq!(all(async || client.next_response().await).await, said());
    assert!(client.next_response().await.is_none());

    client.send("Go.").await.unwrap();
    let mut messages = client.messages();
    assert_eq!(all(async || messages.next().await).await, said());

    let mut turn = client.ask("Go.").await.unwrap();
    let mut texts = turn.texts();
    for text in ["One.", "Two."] {
        assert_eq!(each_once(async || texts.next().await).await.unwrap().unwrap(), text);
    }
    assert!(each_once(async || texts.next().await).await.is_none());

    let mut run = query_with(cli(), "Go.", AgentOptions::default()).await.unwrap();
    assert_eq!(all(async || run.next().await).await, said());
}

#[tokio::test]
async fn a_future_of_a_prompt_that_is_dropped_has_sent_nothing() {
    let (cli, mut lines) = play(|line| is_prompt(line).then(said).into_iter().flatten().collect());
    let mut client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let core = client.core.clone();
    let numbering = core.numbering.lock().await;
    assert!(once(client.ask("Never sent.")).await.is_pending());
    assert!(once(client.query("Never sent.")).await.is_pending());
    assert!(once(client.send("Never sent.")).await.is_pending());
    drop(numbering);
    client.ask("Sent.").await.unwrap().finish().await.unwrap();
    assert!(client.next_response().await.is_none());
    client.close().await;
    let mut sent = Vec::new();
    while let Some(line) = lines.recv().await {
        sent.extend(is_prompt(&line).then_some(line));
    }
    assert!(matches!(&sent[..], [prompt] if prompt.contains("\"Sent.\"")), "{sent:?}");
}
