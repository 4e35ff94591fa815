//! Inputs of the events about tools.

use serde::de::DeserializeOwned;

use super::inputs;
use crate::agent::permission::{McpServerProvenance, PermissionUpdate};
use crate::agent::wire::{RawJson, record};

inputs! {
    /// The input of a `PreToolUse` hook.
    PreToolUseInput {
        /** The tool's name. */ tool_name: String,
        /** The arguments. */ tool_input: RawJson,
        /** The id of the call. */ tool_use_id: String,
        /** The server of an MCP tool. */ mcp_server: Option<McpServerProvenance>,
    }

    /// The input of a `PreSkillShellCommand` hook.
    PreSkillShellCommandInput {
        /** The shell's tool: `Bash` or `PowerShell`. */ tool_name: String,
        /** Its arguments: the `command` as it would run. */ tool_input: RawJson,
        /** Identifies the command; no call in the transcript has this id. */ tool_use_id: String,
        /** The skill or the command that contains it. */ command_name: String,
        /** Where that comes from. */ command_source: Option<String>,
        /// Who has it loaded: `user`, if a prompt names it; `claude`, if the model has called the
        /// tool `Skill`; else `other`.
        invoked_by: String,
    }

    /// The input of a `PostToolUse` hook.
    PostToolUseInput {
        /** The tool's name. */ tool_name: String,
        /** The arguments. */ tool_input: RawJson,
        /** The result. */ tool_response: RawJson,
        /** The id of the call. */ tool_use_id: String,
        /** How long the call took. */ duration_ms: Option<u64>,
        /** The server of an MCP tool. */ mcp_server: Option<McpServerProvenance>,
    }

    /// The input of a `PostToolUseFailure` hook.
    PostToolUseFailureInput {
        /** The tool's name. */ tool_name: String,
        /** The arguments. */ tool_input: RawJson,
        /** The id of the call. */ tool_use_id: String,
        /** What went wrong. */ error: String,
        /** Whether it was an interruption. */ is_interrupt: Option<bool>,
        /** How long the call took. */ duration_ms: Option<u64>,
        /** The server of an MCP tool. */ mcp_server: Option<McpServerProvenance>,
    }

    /// The input of a `PostToolBatch` hook.
    PostToolBatchInput {
        /** The calls. */ tool_calls: Vec<PostToolBatchToolCall>,
    }

    /// The input of a `PermissionRequest` hook.
    PermissionRequestInput {
        /** The tool's name. */ tool_name: String,
        /** The arguments. */ tool_input: RawJson,
        /// What to answer with so that the same is not asked again.
        permission_suggestions: Vec<PermissionUpdate>,
        /** The server of an MCP tool. */ mcp_server: Option<McpServerProvenance>,
    }

    /// The input of a `PermissionDenied` hook.
    PermissionDeniedInput {
        /** The tool's name. */ tool_name: String,
        /** The arguments. */ tool_input: RawJson,
        /** The id of the call. */ tool_use_id: String,
        /** Why it was refused. */ reason: String,
        /** The server of an MCP tool. */ mcp_server: Option<McpServerProvenance>,
    }
}

record! {
    /// One of several calls.
    pub struct PostToolBatchToolCall {
        /** The tool's name. */ pub tool_name: String,
        /** The arguments. */ pub tool_input: RawJson,
        /** The id of the call. */ pub tool_use_id: String,
        /** The result. */ pub tool_response: Option<RawJson>,
    }
}

macro_rules! typed_input {
    ($($name:ident),*) => {$(
        impl $name {
            /// The arguments as a type of your own.
            ///
            /// # Errors
            ///
            /// They do not fit the type.
            pub fn input<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
                self.tool_input.decode()
            }
        }
    )*};
}

typed_input! {
    PreToolUseInput, PreSkillShellCommandInput, PostToolUseInput, PostToolUseFailureInput,
    PermissionRequestInput, PermissionDeniedInput, PostToolBatchToolCall
}
