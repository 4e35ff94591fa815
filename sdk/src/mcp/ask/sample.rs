//! Answers of the client's model.

use std::fmt;
use std::future::{Future, IntoFuture};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::pin::Pin;

use serde_json::{Map, Value, json};

use super::meta::write_meta;
use crate::mcp::asking::Inquiry;
use crate::mcp::context::Context;
use crate::mcp::link::AskError;
use crate::mcp::output::ToolResult;
use crate::mcp::protocol::{
    Capability, Role, Sampled, SamplingContent, SamplingMessage, write_json, write_messages,
};
use crate::mcp::registry::ToolRegistry;

/// A request to the client's model, made by [`Context::sample`]. It is sent when it is awaited.
#[must_use = "a question is asked when it is awaited"]
pub struct Sample<'a> {
    context: &'a Context,
    messages: Vec<SamplingMessage>,
    max_tokens: u32,
    settings: Map<String, Value>,
    preferences: Map<String, Value>,
    tools: Option<ToolRegistry>,
    requires_tools: bool,
    max_turns: u32,
    key: Option<String>,
    meta: Map<String, Value>,
}

const METHOD: &str = "sampling/createMessage";

impl Context {
    /// Asks the client's model. See [`Context::elicit`] for what a function that asks must observe.
    ///
    /// ```
    /// use toolwright::{AskError, Context, tool};
    ///
    /// #[tool]
    /// async fn slogan(product: &str, cx: &Context) -> Result<String, AskError> {
    ///     let sampled = cx.sample(format!("A slogan for {product}")).max_tokens(50).await?;
    ///     Ok(sampled.text())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| asked.say("Tea. What else?"));
    /// assert_eq!(slogan("tea", &cx).await.unwrap(), "Tea. What else?");
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The client cannot be asked, or its user refuses; see [`AskError`].
    pub fn sample(&self, prompt: impl Into<String>) -> Sample<'_> {
        let prompt: String = prompt.into();
        Sample {
            context: self,
            messages: vec![SamplingMessage::user(prompt)],
            max_tokens: 1_000,
            settings: Map::new(),
            preferences: Map::new(),
            tools: None,
            requires_tools: false,
            max_turns: 6,
            key: None,
            meta: Map::new(),
        }
    }

    /// True if the client has a model that tools can ask.
    #[inline]
    pub fn can_sample(&self) -> bool {
        self.can_ask(Capability::Sampling)
    }
}

impl<'a> Sample<'a> {
    /// Adds a message after the prompt.
    ///
    /// ```
    /// use toolwright::mcp::SamplingMessage;
    /// use toolwright::{AskError, Context, Image, tool};
    ///
    /// #[tool]
    /// async fn describe(cx: &Context) -> Result<String, AskError> {
    ///     let picture = SamplingMessage::user("This one.").with(Image::png(b"..."));
    ///     Ok(cx.sample("Describe a picture.").message(picture).await?.text())
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let cx = Context::detached().answering(|asked| {
    ///     assert_eq!(asked.params()["messages"][1]["content"][1]["type"], "image");
    ///     asked.say("A cat.")
    /// });
    /// assert_eq!(describe(&cx).await.unwrap(), "A cat.");
    /// # }
    /// ```
    ///
    /// Clients of 2024-11-05 have no sound: with sound they cannot be asked.
    #[inline]
    pub fn message(mut self, message: SamplingMessage) -> Self {
        self.messages.push(message);
        self
    }

    /// The most tokens that the model may answer with: 1,000 unless set.
    #[inline]
    pub fn max_tokens(mut self, max_tokens: u32) -> Self {
        self.max_tokens = max_tokens;
        self
    }

    /// The system prompt, which the client may change or leave out.
    pub fn system_prompt(self, prompt: impl Into<String>) -> Self {
        self.set("systemPrompt", prompt.into())
    }

    /// Adds an entry to what the client passes on to the provider of the model.
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let metadata = self.settings.entry("metadata").or_insert_with(|| json!({}));
        if let Value::Object(metadata) = metadata {
            metadata.insert(key.into(), value.into());
        }
        self
    }

    /// The temperature; its range is the model's.
    #[inline]
    pub fn temperature(self, temperature: f64) -> Self {
        self.set("temperature", temperature)
    }

    /// Texts that end the answer.
    pub fn stop_sequences<S: Into<String>>(self, sequences: impl IntoIterator<Item = S>) -> Self {
        let sequences: Vec<String> = sequences.into_iter().map(Into::into).collect();
        self.set("stopSequences", sequences)
    }

    /// Proposes a model by a part of its name, such as `sonnet`. Of several the first counts most.
    pub fn model_hint(mut self, name: impl Into<String>) -> Self {
        let hints = self.preferences.entry("hints").or_insert_with(|| json!([]));
        if let Value::Array(hints) = hints {
            hints.push(json!({"name": name.into()}));
        }
        self
    }

    /// How much a low price counts, from 0 to 1.
    #[inline]
    pub fn cost_priority(self, priority: f64) -> Self {
        self.prefer("costPriority", priority)
    }

    /// How much a fast answer counts, from 0 to 1.
    #[inline]
    pub fn speed_priority(self, priority: f64) -> Self {
        self.prefer("speedPriority", priority)
    }

    /// How much the ability of the model counts, from 0 to 1.
    #[inline]
    pub fn intelligence_priority(self, priority: f64) -> Self {
        self.prefer("intelligencePriority", priority)
    }

    /// Lets the model call these tools. Each call runs once over all rounds, and its result goes
    /// back to the model, until it answers without a call. The client must declare that it supports
    /// this.
    #[inline]
    pub fn tools(mut self, registry: &ToolRegistry) -> Self {
        self.tools = Some(registry.clone());
        self
    }

    /// Makes the model call a tool before it answers. Unless this is set, it may answer at once.
    pub fn require_tools(mut self) -> Self {
        self.requires_tools = true;
        self
    }

    /// How often the model may answer with calls of tools: 6 times unless set, as each takes a
    /// round, and a call has 8. After that it must answer without.
    #[inline]
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.max_turns = turns;
        self
    }

    /// Names the question; see [`Elicit::key`](crate::mcp::Elicit::key). Those of further turns end
    /// with their number.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Adds an entry to `_meta` of the request.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }

    fn set(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        // Of a number that is none.
        if !value.is_null() {
            self.settings.insert(name.to_owned(), value);
        }
        self
    }

    #[inline]
    fn prefer(mut self, name: &str, priority: f64) -> Self {
        // Clients refuse other numbers, and the question with them.
        if !priority.is_nan() {
            self.preferences.insert(name.to_owned(), priority.clamp(0.0, 1.0).into());
        }
        self
    }

    async fn ask(mut self) -> Result<Sampled, AskError> {
        let profile = self.context.profile();
        let mut blocks = self.messages.iter().flat_map(|message| &message.content);
        if !blocks.all(|block| block.is_in(profile)) {
            return Err(AskError::Unsupported);
        }
        // Two equal samples may lead to equal calls.
        let of = match self.key.take() {
            Some(key) => key,
            None => self.context.key_of(METHOD, &self.params(1)),
        };
        let mut turn = 0;
        loop {
            turn += 1;
            let sampled = self.turn(&of, turn).await?;
            let calls = calls(&sampled);
            let may_call = !calls.is_empty() && turn <= self.max_turns;
            let Some(tools) = self.tools.as_ref().filter(|_| may_call) else {
                return Ok(sampled);
            };
            let (request, mut results) = (self.params(turn), Vec::new());
            for (id, name, input) in calls {
                // The ids are the model's, and may be the same in each of its answers.
                let at = results.len();
                let mut hasher = DefaultHasher::new();
                (&of, &request, at, &name, input.to_string()).hash(&mut hasher);
                let key = format!("toolwright/sampling/{:016x}", hasher.finish());
                results.push(self.context.once(&key, call(tools, id, name, input)).await?);
            }
            self.messages.push(SamplingMessage::of(Role::Assistant, sampled.content));
            self.messages.push(SamplingMessage::of(Role::User, results));
        }
    }

    async fn turn(&self, of: &str, turn: u32) -> Result<Sampled, AskError> {
        let key = match turn {
            1 => of.to_owned(),
            turn => format!("{of}-{turn}"),
        };
        let params = |_: Option<&str>| self.params(turn);
        let inquiry = Inquiry {
            needs: match self.tools {
                Some(_) => Capability::SamplingTools,
                None => Capability::Sampling,
            },
            method: METHOD,
            key: Some(&key),
            params: &params,
        };
        let read = |result: &str| Ok(serde_json::from_str(result)?);
        self.context.inquire(&inquiry, &read).await
    }

    /// The members of the parameters.
    #[inline]
    fn params(&self, turn: u32) -> String {
        let mut out = b"\"messages\":".to_vec();
        write_messages(&mut out, &self.messages, self.context.profile());
        out.extend_from_slice(b",\"maxTokens\":");
        write_json(&mut out, &self.max_tokens);
        for (name, value) in &self.settings {
            out.push(b',');
            write_json(&mut out, name);
            out.push(b':');
            write_json(&mut out, value);
        }
        if !self.preferences.is_empty() {
            out.extend_from_slice(b",\"modelPreferences\":");
            write_json(&mut out, &self.preferences);
        }
        if let Some(tools) = &self.tools {
            out.extend_from_slice(b",\"tools\":");
            tools.write_tools(self.context.profile(), &mut out);
            let mode = match turn {
                turn if turn > self.max_turns => "none",
                1 if self.requires_tools => "required",
                _ => "auto",
            };
            out.extend_from_slice(b",\"toolChoice\":");
            write_json(&mut out, &json!({"mode": mode}));
        }
        write_meta(&mut out, &self.meta);
        String::from_utf8(out).unwrap_or_default()
    }
}

impl<'a> IntoFuture for Sample<'a> {
    type Output = Result<Sampled, AskError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    #[inline]
    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}

/// The calls of tools in an answer: their ids, names and arguments.
#[inline]
fn calls(sampled: &Sampled) -> Vec<(String, String, Value)> {
    let call = |block: &SamplingContent| match block {
        SamplingContent::ToolUse { id, name, input, .. } => {
            Some((id.clone(), name.clone(), input.clone()))
        }
        _ => None,
    };
    sampled.content.iter().filter_map(call).collect()
}

/// The result of a call, for the model.
async fn call(
    tools: &ToolRegistry,
    id: String,
    name: String,
    input: Value,
) -> Result<SamplingContent, AskError> {
    let result = tools.call(&name, input).await;
    let result = result.unwrap_or_else(|error| ToolResult::error(error.to_string()));
    let content =
        result.content.iter().map(|block| serde_json::to_value(block).unwrap_or_default());
    Ok(SamplingContent::ToolResult {
        tool_use_id: id,
        content: content.collect(),
        is_error: result.is_error,
        meta: Map::new(),
    })
}

impl fmt::Debug for Sample<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample").field("messages", &self.messages).finish_non_exhaustive()
    }
}
