//! Which turn answers a prompt that is sent while another turn runs.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use toolwright::Context;
use toolwright::agent::{AgentClient, AgentOptions, Message, Priority, UserPrompt};
use toolwright::testing::{Gate, Reply};

use super::calc;
use super::heard::Heard;
use super::scene::{Scene, turn, within};

const A: &str = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
const B: &str = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
const C: &str = "cccccccc-cccc-4ccc-8ccc-cccccccccccc";

/// A conversation whose first turn calls a tool that runs until it is told to end.
struct Running {
    scene: Scene,
    client: AgentClient,
    begun: Arc<Notify>,
    end: Arc<Notify>,
    /// Whether the tool was cancelled, for each time that it ended.
    ended: UnboundedReceiver<bool>,
}

/// Says how the tool ended when it is dropped, as a tool that is cancelled is.
struct Ended(UnboundedSender<bool>, bool);

impl Ended {
    fn well(&mut self) {
        self.1 = false;
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.send(self.1);
    }
}

impl Running {
    async fn open() -> Option<Self> {
        let scene = Scene::open().await?;
        let (begun, end) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let (tell, ended) = unbounded_channel();
        let known = (begun.clone(), end.clone());
        let wait = calc::reader("wait", move |_: Value, _: Context| {
            let (begun, end) = known.clone();
            let mut ended = Ended(tell.clone(), true);
            async move {
                begun.notify_one();
                end.notified().await;
                ended.well();
                "waited"
            }
        });
        let options = scene
            .options()
            .mcp_server(calc::with([wait]))
            .allowed_tools(["mcp__calc__*"])
            .build()
            .unwrap();
        let mut client = connect(options).await;
        scene.model.call("mcp__calc__wait", json!({}));
        send(&mut client, UserPrompt::text("First").uuid(A)).await;
        within(begun.notified()).await;
        Some(Self { scene, client, begun, end, ended })
    }

    /// Sends a prompt while the tool runs, and waits until the CLI has it.
    async fn send(&mut self, prompt: UserPrompt) {
        send(&mut self.client, prompt.uuid(B)).await;
        until_queued(&mut self.client, B).await;
    }

    async fn tool_was_cancelled(&mut self) -> bool {
        within(self.ended.recv()).await.unwrap()
    }
}

async fn connect(options: AgentOptions) -> AgentClient {
    within(AgentClient::connect(options)).await.unwrap()
}

async fn send(client: &mut AgentClient, prompt: UserPrompt) {
    client.query(prompt).await.unwrap();
}

async fn until_queued(client: &mut AgentClient, uuid: &str) {
    loop {
        if let Message::CommandLifecycle(news) =
            within(client.next_response()).await.unwrap().unwrap()
            && (news.command_uuid.as_str(), news.state.as_str()) == (uuid, "queued")
        {
            return;
        }
    }
}

/// The uuids that a turn answers, and what else it is.
fn answered(heard: &Heard) -> (Vec<&str>, String) {
    let result = heard.result();
    let uuids = result.user_message_uuids.iter().map(String::as_str).collect();
    (uuids, result.text().into_owned())
}

async fn is_empty(client: &mut AgentClient) -> bool {
    within(client.next_response()).await.is_none()
}

#[tokio::test]
async fn a_turn_that_runs_tools_takes_a_prompt_up() {
    for priority in [None, Some(Priority::Next)] {
        let Some(mut running) = Running::open().await else { return };
        let mut prompt = UserPrompt::text("By the way");
        if let Some(priority) = priority {
            prompt = prompt.priority(priority);
        }
        running.send(prompt).await;
        running.scene.model.say("Both.").say("Three.");
        running.end.notify_one();
        let heard = turn(&mut running.client).await;
        assert_eq!(answered(&heard), (vec![A, B], "Both.".to_owned()), "{priority:?}");
        assert!(!running.tool_was_cancelled().await);
        assert!(is_empty(&mut running.client).await);

        send(&mut running.client, UserPrompt::text("Third").uuid(C)).await;
        let heard = turn(&mut running.client).await;
        assert_eq!(answered(&heard), (vec![C], "Three.".to_owned()));
        let others = heard.messages().iter().filter_map(Message::user_message_uuid);
        assert_eq!(others.filter(|uuid| *uuid != C).collect::<Vec<_>>(), [""; 0]);
        within(running.client.close()).await;
    }
}

#[tokio::test]
async fn a_prompt_for_later_has_a_turn_of_its_own() {
    let Some(mut running) = Running::open().await else { return };
    running.send(UserPrompt::text("Later").priority(Priority::Later)).await;
    running.scene.model.say("One.").say("Two.");
    running.end.notify_one();
    for (uuid, text) in [(A, "One."), (B, "Two.")] {
        assert_eq!(answered(&turn(&mut running.client).await), (vec![uuid], text.to_owned()));
    }
    assert!(!running.tool_was_cancelled().await);
    within(running.client.close()).await;
}

#[tokio::test]
async fn a_prompt_for_now_ends_the_turn_that_runs() {
    let Some(mut running) = Running::open().await else { return };
    running.scene.model.say("Two.");
    running.send(UserPrompt::text("Now").priority(Priority::Now)).await;
    let first = turn(&mut running.client).await;
    assert_eq!(first.result().user_message_uuids, [A]);
    assert_eq!(first.result().terminal_reason.as_deref(), Some("aborted_tools"));
    let second = turn(&mut running.client).await;
    assert_eq!(answered(&second), (vec![B], "Two.".to_owned()));
    assert!(running.tool_was_cancelled().await);
    within(running.client.close()).await;
}

#[tokio::test]
async fn after_an_interrupt_nothing_of_a_turn_is_lost_although_one_had_taken_two_up() {
    let Some(mut running) = Running::open().await else { return };
    running.send(UserPrompt::text("By the way")).await;
    running.scene.model.say("Both.").call("mcp__calc__wait", json!({})).say("Three.");
    running.end.notify_one();
    assert_eq!(turn(&mut running.client).await.result().text(), "Both.");
    within(running.client.interrupt()).await.unwrap();
    send(&mut running.client, UserPrompt::text("Third").uuid(C)).await;
    within(running.begun.notified()).await;
    running.end.notify_one();
    let heard = turn(&mut running.client).await;
    assert_eq!(answered(&heard), (vec![C], "Three.".to_owned()));
    assert!(heard.kinds().contains(&"init"), "{:?}", heard.kinds());
    assert_eq!(heard.tool_results().len(), 1, "{:?}", heard.kinds());
    within(running.client.close()).await;
}

#[tokio::test]
async fn prompts_that_wait_together_share_a_turn() {
    let Some(scene) = Scene::open().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("One.").held_by(&gate)).say("Both.");
    let mut client = connect(scene.options().build().unwrap()).await;
    send(&mut client, UserPrompt::text("First").uuid(A)).await;
    within(gate.reached()).await;
    for uuid in [B, C] {
        send(&mut client, UserPrompt::text("More").uuid(uuid)).await;
    }
    until_queued(&mut client, C).await;
    gate.open();
    assert_eq!(answered(&turn(&mut client).await), (vec![A], "One.".to_owned()));
    assert_eq!(answered(&turn(&mut client).await), (vec![B, C], "Both.".to_owned()));
    assert!(is_empty(&mut client).await);
    within(client.close()).await;
}

#[tokio::test]
async fn an_interrupt_right_after_the_first_prompt_leaves_the_next_turn_whole() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options().build().unwrap()).await;
    scene.model.reply_ever_after(Reply::new().text("Answered."));
    send(&mut client, UserPrompt::text("First").uuid(A)).await;
    within(client.interrupt()).await.unwrap();
    send(&mut client, UserPrompt::text("Second").uuid(B)).await;
    let heard = turn(&mut client).await;
    assert_eq!(answered(&heard), (vec![B], "Answered.".to_owned()));
    assert!(!heard.result().is_error);
    within(client.close()).await;
}

#[tokio::test]
async fn a_prompt_that_is_withdrawn_has_an_empty_turn() {
    let Some(scene) = Scene::open().await else { return };
    let gate = Gate::new();
    scene.model.reply(Reply::new().text("One.").held_by(&gate)).say("Three.");
    let mut client = connect(scene.options().build().unwrap()).await;
    send(&mut client, UserPrompt::text("First").uuid(A)).await;
    within(gate.reached()).await;
    send(&mut client, UserPrompt::text("Second").uuid(B)).await;
    until_queued(&mut client, B).await;
    let withdrawn = json!({"message_uuid": B});
    within(client.request("cancel_async_message", withdrawn)).await.unwrap();
    gate.open();
    assert_eq!(answered(&turn(&mut client).await), (vec![A], "One.".to_owned()));
    assert!(is_empty(&mut client).await);
    send(&mut client, UserPrompt::text("Third").uuid(C)).await;
    assert_eq!(answered(&turn(&mut client).await), (vec![C], "Three.".to_owned()));
    within(client.close()).await;
}
