use super::assistant::ApiMessage;
use super::block::ContentBlock;
use super::envelope::message;
use super::usage::Usage;
use crate::agent::wire::{RawJson, record, tagged};

message! {
    /// A piece of an answer while the model writes it; comes only if
    /// [partial messages](crate::agent::AgentOptionsBuilder::include_partial_messages) are asked
    /// for.
    ///
    /// ```
    /// use toolwright::agent::Message;
    ///
    /// let line = r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,
    ///     "delta":{"type":"text_delta","text":"Hel"}}}"#;
    /// let Message::StreamEvent(piece) = Message::parse(line) else { unreachable!() };
    /// assert_eq!(piece.text_delta(), Some("Hel"));
    /// ```
    pub struct StreamEvent {
        /** The event, as the Messages API streams it. */ pub event: ApiEvent,
        /// The tool call whose subagent writes it; none for the main conversation.
        pub parent_tool_use_id: Option<String>,
        /// How long the first token took, in ms; with the first event of an answer.
        pub ttft_ms: Option<u64>,
        /// The user message that began the turn; of several, the last.
        pub user_message_uuid: Option<String>,
        /// The user messages that the turn has taken up so far.
        pub user_message_uuids: Vec<String>,
        /** Why the turn went on by itself. */ pub resume_reason: Option<String>,
    }
}

impl StreamEvent {
    /// The piece of text, if it is one.
    pub fn text_delta(&self) -> Option<&str> {
        match &self.event {
            ApiEvent::ContentBlockDelta(ContentBlockDelta {
                delta: Delta::Text(delta), ..
            }) => Some(&delta.text),
            _ => None,
        }
    }
}

tagged! {
    /// An event of the Messages API's stream.
    pub enum ApiEvent {
        /// An answer begins.
        "message_start" => MessageStart(Box<MessageStart>),
        /// A block of it begins.
        "content_block_start" => ContentBlockStart(Box<ContentBlockStart>),
        /// A piece of a block.
        "content_block_delta" => ContentBlockDelta(ContentBlockDelta),
        /// A block is complete.
        "content_block_stop" => ContentBlockStop(ContentBlockStop),
        /// What is known of the answer at its end.
        "message_delta" => MessageDelta(Box<MessageDelta>),
        /// The answer is complete.
        "message_stop" => MessageStop,
        /// Keeps the connection open.
        "ping" => Ping,
        /// The answer failed.
        "error" => Error(ErrorEvent),
    }
}

tagged! {
    /// A piece of a block.
    pub enum Delta {
        /// Of a text.
        "text_delta" => Text(TextDelta),
        /// Of a tool call's arguments.
        "input_json_delta" => InputJson(InputJsonDelta),
        /// Of thinking.
        "thinking_delta" => Thinking(ThinkingDelta),
        /// The signature of thinking.
        "signature_delta" => Signature(SignatureDelta),
        /// What a text is based on.
        "citations_delta" => Citations(CitationsDelta),
    }
}

record! {
    /// An answer begins.
    pub struct MessageStart {
        /** The answer without its content. */ pub message: ApiMessage,
    }

    /// A block begins.
    pub struct ContentBlockStart {
        /** Its place in the answer, from 0. */ pub index: usize,
        /** The block, still empty. */ pub content_block: ContentBlock,
    }

    /// A piece of a block.
    pub struct ContentBlockDelta {
        /** The block's place in the answer, from 0. */ pub index: usize,
        /** The piece. */ pub delta: Delta,
    }

    /// A block is complete.
    pub struct ContentBlockStop {
        /** Its place in the answer, from 0. */ pub index: usize,
    }

    /// What is known of an answer at its end.
    pub struct MessageDelta {
        /** What changes in the answer. */ pub delta: MessageChange,
        /** What the whole answer used. */ pub usage: Usage,
        /// What the API removed from the context, in its form.
        pub context_management: Option<RawJson>,
    }

    /// What changes in an answer at its end.
    pub struct MessageChange {
        /// Why the model stopped, such as `end_turn` or `tool_use`.
        pub stop_reason: Option<String>,
        /** The text that made it stop. */ pub stop_sequence: Option<String>,
        /** The code execution container, in the API's form. */ pub container: Option<RawJson>,
    }

    /// An answer failed.
    pub struct ErrorEvent {
        /** Why. */ pub error: ApiError,
    }

    /// An error of the API.
    pub struct ApiError {
        /** What kind of error, such as `overloaded_error`. */ pub r#type: String = "type",
        /** What the API says about it. */ pub message: String,
    }

    /// A piece of a text.
    pub struct TextDelta {
        /** The piece. */ pub text: String,
    }

    /// A piece of a tool call's arguments.
    pub struct InputJsonDelta {
        /// The piece; all pieces of the block together are a JSON text.
        pub partial_json: String,
    }

    /// A piece of thinking.
    pub struct ThinkingDelta {
        /** The piece. */ pub thinking: String,
    }

    /// The signature of thinking.
    pub struct SignatureDelta {
        /** The signature. */ pub signature: String,
    }

    /// What a text is based on.
    pub struct CitationsDelta {
        /** One citation, in the API's form. */ pub citation: RawJson,
    }
}
