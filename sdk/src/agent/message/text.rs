use crate::agent::wire::{RawJson, record};

record! {
    /// Text.
    pub struct TextBlock {
        /** The text. */ pub text: String,
        /** Its sources, in the API's form. */ pub citations: Option<RawJson>,
    }

    /// The model's thinking.
    pub struct ThinkingBlock {
        /** The thinking; empty where it is not shown. */ pub thinking: String,
        /** The API's signature, which proves that it is the model's. */ pub signature: String,
    }

    /// Thinking that is not shown.
    pub struct RedactedThinkingBlock {
        /** The encrypted thinking. */ pub data: String,
    }

    /// A passage that can be cited.
    pub struct SearchResultBlock {
        /** Where it is from. */ pub source: String,
        /** Its title. */ pub title: String,
        /** The passage. */ pub content: Vec<TextBlock>,
        /** Whether it may be cited, in the API's form. */ pub citations: Option<RawJson>,
    }
}
