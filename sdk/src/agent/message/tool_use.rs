use crate::agent::wire::{RawJson, record};

record! {
    /// The model calls a tool.
    pub struct ToolUseBlock {
        /** The call's id, which its result names. */ pub id: String,
        /** The tool, such as `Bash` or `mcp__calc__add`. */ pub name: String,
        /** The arguments, an object. */ pub input: RawJson,
        /// The caller, in the API's form, if it is not the model itself.
        pub caller: Option<RawJson>,
    }

    /// The model calls a tool that the API runs.
    pub struct ServerToolUseBlock {
        /** The call's id, which its result names. */ pub id: String,
        /** The tool, such as `web_search`. */ pub name: String,
        /** The arguments, an object. */ pub input: RawJson,
    }

    /// The result of a call of a tool that the API runs.
    pub struct ServerToolResultBlock {
        /// Which tool's result it is, such as `web_search_tool_result`.
        pub r#type: String = "type",
        /** The call's id. */ pub tool_use_id: String,
        /** The result, in the API's form. */ pub content: RawJson,
    }

    /// The model calls a tool of an MCP server that the API talks to.
    pub struct McpToolUseBlock {
        /** The call's id, which its result names. */ pub id: String,
        /** The tool. */ pub name: String,
        /** Its server. */ pub server_name: String,
        /** The arguments, an object. */ pub input: RawJson,
    }
}
