//! From messages to events: [`Events`].

use std::collections::HashMap;
use std::time::Duration;

use super::event::{Event, ModelCost};
use super::streamed::Streamed;
use crate::agent::message::{
    ApiEvent, AssistantMessage, ContentBlock, Delta, Message, MessageContent, RawJson,
    ResultMessage, StreamEvent, SystemMessage, ToolProgressMessage, UserMessage, kind_of_error,
};
use crate::scan;

/// How much of a result is kept, in bytes.
const LONGEST: usize = 64 * 1024;

/// Makes events of messages, without a clock and without I/O.
///
/// ```
/// use std::time::Duration;
///
/// use toolwright::agent::Message;
/// use toolwright::agent::view::{Event, Events};
///
/// let line = r#"{"type":"result","result":"42","num_turns":1,"duration_ms":20}"#;
/// let events = Events::default().read(&Message::parse(line), Duration::from_millis(25));
/// assert!(matches!(&events[..], [Event::Done { turns: 1, duration_ms: 20, .. }]));
/// ```
///
/// With partial messages a text comes in pieces, without them as a whole; either way each text
/// comes once.
#[derive(Debug, Default)]
pub struct Events {
    /// The calls without a result: the tool, and when the call was seen.
    calls: HashMap<String, (String, Duration)>,
    /// By the call whose subagent writes.
    streamed: HashMap<Option<String>, Streamed>,
}

impl Events {
    /// The events of a message. `now` is the time since any moment that stays the same.
    pub fn read(&mut self, message: &Message, now: Duration) -> Vec<Event> {
        let mut events = Vec::new();
        match message {
            Message::StreamEvent(message) => self.piece(message, &mut events),
            Message::Assistant(message) => self.answer(message, now, &mut events),
            Message::User(message) => self.results(message, now, &mut events),
            Message::ToolProgress(message) => events.extend(self.running(message)),
            Message::Result(result) => {
                // Agents in the background go on.
                self.streamed.remove(&None);
                events.push(done(result));
            }
            Message::System(message) => {
                if let SystemMessage::TaskNotification(ended) = message
                    && ended.tool_use_id.is_some()
                {
                    self.streamed.remove(&ended.tool_use_id);
                }
                events.extend(news(message));
            }
            _ => {}
        }
        events
    }

    fn piece(&mut self, message: &StreamEvent, events: &mut Vec<Event>) {
        let agent = message.parent_tool_use_id.clone();
        let streamed = self.streamed.entry(agent.clone()).or_default();
        match &message.event {
            ApiEvent::MessageStart(_) => {
                streamed.begin();
                if streamed.end() {
                    events.push(Event::TextEnd { agent });
                }
            }
            ApiEvent::ContentBlockStart(start) => {
                if let ContentBlock::Text(_) | ContentBlock::Thinking(_) = start.content_block {
                    streamed.open();
                }
            }
            ApiEvent::ContentBlockDelta(delta) => match &delta.delta {
                Delta::Text(delta) => {
                    streamed.piece(&delta.text);
                    events.push(Event::Text { agent, text: delta.text.clone() });
                }
                Delta::Thinking(delta) => {
                    streamed.piece(&delta.thinking);
                    events.push(Event::Thinking { agent, text: delta.thinking.clone() });
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn answer(&mut self, message: &AssistantMessage, now: Duration, events: &mut Vec<Event>) {
        let agent = &message.parent_tool_use_id;
        for block in &message.message.content {
            match block {
                ContentBlock::Text(block) => {
                    let text = self.rest(agent, &block.text, events);
                    let agent = agent.clone();
                    events.extend(text.map(|text| Event::Text { agent: agent.clone(), text }));
                    events.push(Event::TextEnd { agent });
                }
                ContentBlock::Thinking(block) if !block.thinking.is_empty() => {
                    let text = self.rest(agent, &block.thinking, events);
                    let agent = agent.clone();
                    events.extend(text.map(|text| Event::Thinking { agent: agent.clone(), text }));
                    events.push(Event::TextEnd { agent });
                }
                ContentBlock::ToolUse(call) => {
                    events.push(self.call(agent, &call.id, &call.name, &call.input, now));
                }
                ContentBlock::ServerToolUse(call) => {
                    events.push(self.call(agent, &call.id, &call.name, &call.input, now));
                }
                ContentBlock::McpToolUse(call) => {
                    events.push(self.call(agent, &call.id, &call.name, &call.input, now));
                }
                ContentBlock::McpToolResult(result) => {
                    let text = text_of(&result.content);
                    events.push(self.returned(&result.tool_use_id, &text, result.is_error, now));
                }
                ContentBlock::ServerToolResult(result) => {
                    let text = result.content.get();
                    // Such as `web_search_tool_result_error`.
                    let kind = scan::text(text, "type").unwrap_or_default();
                    let is_error = kind.ends_with("_error");
                    events.push(self.returned(&result.tool_use_id, text, is_error, now));
                }
                _ => {}
            }
        }
    }

    fn results(&mut self, message: &UserMessage, now: Duration, events: &mut Vec<Event>) {
        for result in message.tool_results() {
            let text = text_of(&result.content);
            events.push(self.returned(&result.tool_use_id, &text, result.is_error, now));
        }
        let text = message.text();
        // What the CLI adds for the model alone, and what a subagent is told, is not shown.
        if text.is_empty() || message.is_synthetic || message.parent_tool_use_id.is_some() {
            return;
        }
        events.extend(match (printed(&text), message.is_replay) {
            (Some(""), _) => None,
            (Some(text), _) => Some(Event::Notice { text: cut(text) }),
            (None, true) => Some(Event::Prompt { text: cut(&text) }),
            (None, false) => Some(Event::Notice { text: cut(&text) }),
        });
    }

    /// What of a block was not streamed. If that is all of it, a text that was streamed before is
    /// another one, which was cut off and ends here.
    fn rest(
        &mut self,
        agent: &Option<String>,
        whole: &str,
        events: &mut Vec<Event>,
    ) -> Option<String> {
        let mut rest = whole;
        if let Some(streamed) = self.streamed.get_mut(agent) {
            rest = streamed.rest(whole);
            if streamed.end() && rest == whole {
                events.push(Event::TextEnd { agent: agent.clone() });
            }
        }
        (!rest.is_empty()).then(|| rest.to_owned())
    }

    fn call(
        &mut self,
        agent: &Option<String>,
        id: &str,
        name: &str,
        input: &RawJson,
        now: Duration,
    ) -> Event {
        self.calls.insert(id.to_owned(), (name.to_owned(), now));
        Event::Call {
            agent: agent.clone(),
            id: id.to_owned(),
            name: name.to_owned(),
            input: input.clone(),
        }
    }

    /// The time of a hook, and that of a subagent that waits for the API, are not the call's.
    fn running(&self, message: &ToolProgressMessage) -> Option<Event> {
        if message.tool_use_id.starts_with("hook-") || message.subagent_type.is_some() {
            return None;
        }
        let id = message.parent_tool_use_id.clone().filter(|id| self.calls.contains_key(id))?;
        Some(Event::Running { id, seconds: message.elapsed_time_seconds })
    }

    fn returned(&mut self, id: &str, text: &str, is_error: bool, now: Duration) -> Event {
        let (name, began) = self.calls.remove(id).unwrap_or_else(|| (String::new(), now));
        let took = now.saturating_sub(began).as_millis();
        let duration_ms = u64::try_from(took).unwrap_or(u64::MAX);
        Event::Returned { id: id.to_owned(), name, text: cut(text), is_error, duration_ms }
    }
}

fn done(result: &ResultMessage) -> Event {
    let models = result.model_usage.iter().map(|(model, usage)| ModelCost {
        model: model.clone(),
        input_tokens: usage
            .input_tokens
            .saturating_add(usage.cache_read_input_tokens)
            .saturating_add(usage.cache_creation_input_tokens),
        output_tokens: usage.output_tokens,
        cost_usd: usage.cost_usd,
    });
    let is_error = !result.is_success();
    let mut text = result.text();
    if is_error && text.trim().is_empty() {
        text = format!("the turn failed{}", kind_of_error(&result.subtype)).into();
    }
    Event::Done {
        is_error,
        is_interrupted: result.is_interrupted(),
        text: cut(&text),
        turns: result.num_turns,
        duration_ms: result.duration_ms,
        cost_usd: result.total_cost_usd,
        models: models.collect(),
    }
}

fn news(message: &SystemMessage) -> Option<Event> {
    let text = match message {
        SystemMessage::Init(init) => {
            let (model, session_id) = (init.model.clone(), init.session_id.clone());
            return Some(Event::Turn { model, session_id });
        }
        SystemMessage::ApiRetry(retry) => format!(
            "the API failed ({}), attempt {} of {} follows in {} ms",
            retry.error, retry.attempt, retry.max_retries, retry.retry_delay_ms
        ),
        SystemMessage::CompactBoundary(_) => "the conversation up to here was summed up".into(),
        SystemMessage::Informational(message) => message.content.clone(),
        SystemMessage::LocalCommandOutput(message) => message.content.clone(),
        SystemMessage::Notification(message) => message.text.clone(),
        SystemMessage::ModelRefusalFallback(message) => message.content.clone(),
        SystemMessage::ModelRefusalNoFallback(message) => message.content.clone(),
        SystemMessage::SessionWritesLost(_) => "the disk is full: the transcript has gaps".into(),
        _ => return None,
    };
    (!text.is_empty()).then(|| Event::Notice { text: cut(&text) })
}

/// What a command of the CLI has printed, which comes as a message of the user's.
fn printed(text: &str) -> Option<&str> {
    let (stream, rest) = text.trim().strip_prefix("<local-command-")?.split_once('>')?;
    let printed = rest.strip_suffix('>')?.strip_suffix(stream)?.strip_suffix("</local-command-")?;
    matches!(stream, "stdout" | "stderr").then(|| printed.trim())
}

/// The text of a result; what is no text is named.
fn text_of(content: &MessageContent) -> String {
    if let MessageContent::Text(text) = content {
        return text.clone();
    }
    let parts = content.blocks().iter().map(|block| match block {
        ContentBlock::Text(block) => block.text.as_str(),
        ContentBlock::Image(_) => "[image]",
        ContentBlock::Document(_) => "[document]",
        ContentBlock::SearchResult(block) => block.title.as_str(),
        _ => "[other content]",
    });
    parts.collect::<Vec<_>>().join("\n")
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}… ({} more bytes)", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests;
