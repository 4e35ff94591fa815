//! Prompts on top of each other, each with a turn of its own, and an interrupt after each of these.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::agent::message::{CommandState, ResultMessage};
use toolwright::agent::{AgentClient, Message, RunError, Turn, query};
use toolwright::testing::Reply;
use toolwright::{Context, Tool};

use super::calc;
use super::heard::Heard;
use super::scene::{self, Scene, turn, within};

/// A conversation with tools that say when they begin.
struct Steered {
    scene: Scene,
    client: AgentClient,
    begun: Arc<Notify>,
    end: Arc<Notify>,
}

impl Steered {
    /// Its tools: `wait` runs until it is told to end, `send` sends a prompt, and `stop` interrupts
    /// after that.
    async fn open() -> Option<Self> {
        let scene = Scene::open().await?;
        let (begun, end) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let tools = [wait(begun.clone(), end.clone()), send(false), send(true)];
        let options = scene.options().mcp_server(calc::with(tools));
        let options = options.allowed_tools(["mcp__calc__*"]).build().unwrap();
        let client = within(AgentClient::connect(options)).await.unwrap();
        Some(Self { scene, client, begun, end })
    }

    async fn ask(&self, text: &str) -> Turn {
        self.client.ask(text).await.unwrap()
    }

    /// The next turn is whole, and nothing is left over for anybody else.
    async fn goes_on_and_ends(mut self) {
        self.scene.model.reply_ever_after(Reply::new().text("Last."));
        let last = self.ask("Still there?").await;
        let uuid = last.prompt_uuid().to_owned();
        let last = all(last).await;
        assert_eq!((last.text().as_str(), uuids(last.result())), ("Last.", vec![uuid.as_str()]));
        assert_eq!(last.kinds().iter().filter(|kind| **kind == "init").count(), 1);
        let left = turn(&mut self.client).await;
        assert!(left.results().is_empty() && left.text().is_empty(), "{:#?}", left.messages());
        assert!(within(self.client.next_response()).await.is_none());
        within(self.client.close()).await;
    }
}

fn wait(begun: Arc<Notify>, end: Arc<Notify>) -> Tool {
    calc::reader("wait", async move |_: Value, _: Context| {
        begun.notify_one();
        end.notified().await;
        "waited"
    })
}

fn send(stops: bool) -> Tool {
    let name = if stops { "stop" } else { "send" };
    calc::reader(name, async move |_: Value, cx: Context| {
        let agent = cx.agent().unwrap();
        agent.send("By the way").await.unwrap();
        if stops {
            agent.interrupt().await.unwrap();
        }
        "sent"
    })
}

/// All messages of a turn.
async fn all(mut turn: Turn) -> Heard {
    let mut heard = Heard::default();
    while let Some(message) = within(turn.next()).await {
        heard.push(message.unwrap());
    }
    assert!(matches!(heard.messages().last(), Some(Message::Result(_))), "{:?}", heard.kinds());
    heard
}

fn uuids(result: &ResultMessage) -> Vec<&str> {
    result.user_message_uuids.iter().map(String::as_str).collect()
}

async fn until_queued(turn: &mut Turn) {
    loop {
        let message = within(turn.next()).await.unwrap().unwrap();
        if matches!(&message, Message::CommandLifecycle(news) if news.state == CommandState::Queued)
        {
            assert_eq!(message.user_message_uuid(), Some(turn.prompt_uuid()));
            return;
        }
    }
}

#[tokio::test]
async fn two_prompts_back_to_back_are_both_answered() {
    for interrupts in [false, true] {
        let Some(steered) = Steered::open().await else { return };
        steered.scene.model.reply_ever_after(Reply::new().text("Answered."));
        let turns = [steered.ask("First").await, steered.ask("Second").await];
        if interrupts {
            within(steered.client.interrupt()).await.unwrap();
        }
        let mut leads = 0;
        for turn in turns {
            let uuid = turn.prompt_uuid().to_owned();
            let heard = all(turn).await;
            assert!(uuids(heard.result()).contains(&uuid.as_str()), "{:#?}", heard.messages());
            assert!(interrupts || heard.result().text() == "Answered.");
            let is_lead = uuids(heard.result())[0] == uuid;
            leads += usize::from(is_lead);
            assert!(interrupts || is_lead == (heard.text() == "Answered."), "{:?}", heard.kinds());
        }
        assert!(leads > 0);
        steered.goes_on_and_ends().await;
    }
}

#[tokio::test]
async fn three_prompts_while_a_tool_runs_are_answered_with_its_turn_or_after_an_interrupt() {
    for interrupts in [false, true] {
        let Some(steered) = Steered::open().await else { return };
        steered.scene.model.call("mcp__calc__wait", json!({})).say("All.");
        let first = steered.ask("First").await;
        within(steered.begun.notified()).await;
        let mut others = Vec::new();
        for text in ["Second", "Third", "Fourth"] {
            others.push(steered.ask(text).await);
        }
        for turn in &mut others {
            until_queued(turn).await;
        }
        let mut expected: Vec<_> =
            others.iter().map(|turn| turn.prompt_uuid().to_owned()).collect();
        if interrupts {
            let receipt = within(steered.client.interrupt()).await.unwrap();
            assert_eq!(receipt.still_queued, expected);
            let error = within(first.finish()).await.unwrap_err();
            assert!(matches!(error, RunError::ErrorResult { .. }), "{error}");
        } else {
            steered.end.notify_one();
            expected.insert(0, first.prompt_uuid().to_owned());
            others.insert(0, first);
        }
        for (at, turn) in others.into_iter().enumerate() {
            let heard = all(turn).await;
            assert_eq!(uuids(heard.result()), expected);
            assert_eq!(heard.result().text(), "All.");
            // The messages are the first one's.
            assert_eq!(heard.text() == "All.", at == 0, "{:?}", heard.kinds());
        }
        steered.goes_on_and_ends().await;
    }
}

#[tokio::test]
async fn a_prompt_from_within_a_tool_is_answered_with_its_turn() {
    let Some(steered) = Steered::open().await else { return };
    steered.scene.model.call("mcp__calc__send", json!({})).say("Both.");
    let heard = all(steered.ask("First").await).await;
    assert_eq!((heard.text().as_str(), uuids(heard.result()).len()), ("Both.", 2));
    assert_eq!(heard.tool_results()[0].content.text(), "sent");
    steered.goes_on_and_ends().await;
}

#[tokio::test]
async fn a_one_shot_run_takes_a_prompt_from_within_a_tool() {
    let Some(opened) = Scene::open().await else { return };
    opened.model.call("mcp__calc__send", json!({})).say("Both.");
    let options = opened.options().mcp_server(calc::with([send(false)]));
    let options = options.allowed_tools(["mcp__calc__*"]).build().unwrap();
    let mut run = within(query("First", options)).await.unwrap();
    let handle = run.handle();
    let heard = scene::all(&mut run).await;
    assert_eq!((heard.text().as_str(), uuids(heard.result()).len()), ("Both.", 2));
    assert!(handle.send("Too late").await.is_err());
}

#[tokio::test]
async fn a_prompt_from_within_a_tool_that_interrupts_is_the_clients() {
    let Some(mut steered) = Steered::open().await else { return };
    steered.scene.model.call("mcp__calc__stop", json!({})).say("By itself.");
    let first = steered.ask("First").await;
    let error = within(first.finish()).await.unwrap_err();
    assert!(matches!(error, RunError::ErrorResult { .. }), "{error}");
    let heard = turn(&mut steered.client).await;
    assert_eq!(heard.text(), "By itself.", "{:?}", heard.kinds());
    assert_eq!(uuids(heard.result()).len(), 1);
    steered.goes_on_and_ends().await;
}

#[tokio::test]
async fn a_prompt_that_is_taken_out_of_the_queue_has_no_result() {
    let Some(steered) = Steered::open().await else { return };
    steered.scene.model.call("mcp__calc__wait", json!({})).say("One.");
    let first = steered.ask("First").await;
    within(steered.begun.notified()).await;
    let mut second = steered.ask("Second").await;
    until_queued(&mut second).await;
    let body = json!({"message_uuid": second.prompt_uuid()});
    within(steered.client.request("cancel_async_message", body)).await.unwrap();
    assert!(matches!(within(second.finish()).await, Err(RunError::Withdrawn)));
    steered.end.notify_one();
    assert_eq!(within(first.finish()).await.unwrap().text(), "One.");
    steered.goes_on_and_ends().await;
}
