use super::*;
use crate::agent::memory_cli::{is_prompt, play, result};

#[tokio::test]
async fn what_is_sent_behind_a_large_prompt_reaches_the_cli() {
    let (cli, _lines) = play(|line| is_prompt(line).then(|| result("ok")).into_iter().collect());
    let client = AgentClient::connect_with(cli, AgentOptions::default()).await.unwrap();
    let large = client.ask("x".repeat((64 << 20) + 1)).await.unwrap();
    client.set_model(Some("haiku")).await.unwrap();
    let small = client.ask("And this?").await.unwrap();
    large.finish().await.unwrap();
    small.finish().await.unwrap();
}
