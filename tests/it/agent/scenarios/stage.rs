//! Where a scenario is played.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Notify;
use toolwright::ToolRegistry;
use toolwright::agent::{AgentClient, AgentOptionsBuilder, Message, UserPrompt};
use toolwright::testing::{Reply, ScriptedCli, Turn};

use super::super::log::Log;
use super::super::scene::{Scene, within};
use super::comparison::masked;
use super::tools;

/// A stage with one of the two CLIs, which get the same script.
pub(super) struct Stage {
    scene: Scene,
    /// The CLI that is played in memory, until a client is connected to it.
    scripted: Option<ScriptedCli>,
    heard: Vec<Value>,
    /// What callbacks were asked, and requests were answered.
    pub(super) asked: Log<Value>,
    /// Notified when the endless tool has begun.
    pub(super) begun: Arc<Notify>,
}

impl Stage {
    /// With the real CLI; `None` where it is not installed.
    pub(super) async fn real() -> Option<Self> {
        let scene = Scene::open().await?;
        let begun = Arc::default();
        Some(Self { scene, scripted: None, heard: Vec::new(), asked: Log::new(), begun })
    }

    /// With the CLI that is played in memory.
    pub(super) async fn scripted() -> Option<Self> {
        let stage = Self::real().await?;
        Some(Self { scripted: Some(ScriptedCli::new()), ..stage })
    }

    pub(super) fn is_real(&self) -> bool {
        self.scripted.is_none()
    }

    /// The answers of the model to the next prompt.
    pub(super) fn script(&mut self, replies: impl IntoIterator<Item = Reply>) -> &mut Self {
        self.scripted = match self.scripted.take() {
            Some(cli) => Some(cli.turn(|turn| replies.into_iter().fold(turn, Turn::reply))),
            None => {
                for reply in replies {
                    self.scene.model.reply(reply);
                }
                None
            }
        };
        self
    }

    /// A built-in tool, which the real CLI has of its own.
    pub(super) fn builtin(&mut self, name: &str) -> &mut Self {
        self.scripted = self.scripted.take().map(|cli| cli.builtin(name, "Done."));
        self
    }

    /// The path of a file in the project.
    pub(super) fn file(&self, name: &str) -> String {
        self.scene.project().join(name).to_string_lossy().into_owned()
    }

    /// The answers of the model to the next subagent.
    pub(super) fn agent<const N: usize>(&mut self, replies: [Reply; N]) -> &mut Self {
        self.scripted = match self.scripted.take() {
            Some(cli) => Some(cli.agent(|turn| replies.into_iter().fold(turn, Turn::reply))),
            None => {
                for reply in replies {
                    self.scene.model.reply_to_agent(reply);
                }
                None
            }
        };
        self
    }

    /// The Messages API fails, however often it is asked.
    pub(super) fn fail(&mut self, error: Reply) -> &mut Self {
        if self.scripted.is_some() {
            return self.script([error]);
        }
        self.scene.model.reply_ever_after(error);
        self
    }

    /// Options that are the same on both stages, without built-in tools.
    pub(super) fn options(&self) -> AgentOptionsBuilder {
        self.scene.options().model("claude-sonnet-5-5").tools([""; 0])
    }

    pub(super) fn registry(&self) -> ToolRegistry {
        tools::registry(self.begun.clone())
    }

    /// Options with the server of these tests, whose tools are allowed.
    pub(super) fn calc(&self) -> AgentOptionsBuilder {
        self.options().mcp_server(self.registry()).allowed_tools(["mcp__calc__*"])
    }

    pub(super) async fn open(&mut self, options: AgentOptionsBuilder) -> AgentClient {
        let options = options.build().unwrap();
        let client = match self.scripted.take() {
            Some(cli) => within(AgentClient::connect_with(cli, options)).await,
            None => within(AgentClient::connect(options)).await,
        };
        client.unwrap()
    }

    /// Sends a prompt and hears the messages of its turn.
    pub(super) async fn say(&mut self, client: &mut AgentClient, prompt: &str) {
        within(client.query(prompt)).await.unwrap();
        self.hear_turn(client).await;
    }

    /// Sends a prompt while a turn runs, and hears messages until the CLI has it.
    pub(super) async fn queue(&mut self, client: &mut AgentClient, prompt: UserPrompt, uuid: &str) {
        within(client.query(prompt.uuid(uuid))).await.unwrap();
        self.hear_until(client, |message| {
            matches!(message, Message::CommandLifecycle(news) if news.command_uuid == uuid)
        })
        .await;
    }

    pub(super) async fn hear_turn(&mut self, client: &mut AgentClient) {
        while self.hear(client).await.is_some() {}
    }

    /// Hears messages until one is as wanted.
    pub(super) async fn hear_until(
        &mut self,
        client: &mut AgentClient,
        wanted: impl Fn(&Message) -> bool,
    ) {
        loop {
            match self.hear(client).await {
                Some(message) if wanted(&message) => return,
                Some(_) => {}
                None => panic!("it did not come: {:#?}", self.heard),
            }
        }
    }

    async fn hear(&mut self, client: &mut AgentClient) -> Option<Message> {
        let message = within(client.next_response()).await?;
        let message = message.unwrap_or_else(|error| panic!("{error}: {:#?}", self.heard));
        self.heard.push(serde_json::to_value(&message).unwrap());
        Some(message)
    }

    /// A single prompt, and the end of the CLI.
    pub(super) async fn play(&mut self, options: AgentOptionsBuilder) {
        let mut client = self.open(options).await;
        self.say(&mut client, "Go on.").await;
        self.close(client).await;
    }

    pub(super) async fn close(&mut self, client: AgentClient) {
        let exit = within(client.close()).await;
        self.heard.push(json!({"type": "exit", "status": exit.status.and_then(|it| it.code())}));
    }

    /// All that was heard: messages, and what callbacks were asked.
    pub(super) fn finish(self) -> (Vec<Value>, Vec<Value>) {
        let project = self.scene.project().to_string_lossy().into_owned();
        let host = self.scene.model.url().split_off("http://".len());
        let names = [(project, "PROJECT"), (host, "HOST")];
        (masked(self.heard, &names), masked(self.asked.take(), &names))
    }
}
