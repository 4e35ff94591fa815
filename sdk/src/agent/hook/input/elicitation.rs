//! Inputs of the events about MCP servers that ask the user something.

use super::inputs;
use crate::agent::wire::{RawJson, object, words};

inputs! {
    /// The input of an `Elicitation` hook.
    ElicitationInput {
        /** The server that asks. */ mcp_server_name: String,
        /** The question. */ message: String,
        /** How it is asked. */ mode: Option<ElicitationMode>,
        /** The page to visit. */ url: Option<String>,
        /** The id of the question. */ elicitation_id: Option<String>,
        /** The schema of the answer. */ requested_schema: Option<RawJson> => object,
    }

    /// The input of an `ElicitationResult` hook.
    ElicitationResultInput {
        /** The server that asked. */ mcp_server_name: String,
        /** The id of the question. */ elicitation_id: Option<String>,
        /** How it was asked. */ mode: Option<ElicitationMode>,
        /** What the user did. */ action: ElicitationAction,
        /** The answer. */ content: Option<RawJson> => object,
    }
}

words! {
    /// How a server asks.
    ElicitationMode {
        /** By a form. */ Form = "form",
        /** By a page to visit. */ Url = "url",
    }

    /// What the user did with a question.
    ElicitationAction {
        /** Answered it. */ Accept = "accept",
        /** Said no. */ Decline = "decline",
        /** Closed it. */ Cancel = "cancel",
    }
}
