use crate::agent::wire::{RawJson, kept};

kept! {
    /// How an MCP server of the CLI's is doing. In an [`InitMessage`](super::system::InitMessage)
    /// the CLI says less than in an answer to [`mcp_status`](crate::agent::Handle::mcp_status).
    pub struct McpServerStatus {
        /** Its name. */ pub name: String,
        /** `connected`, `failed`, `needs-auth`, `pending` or `disabled`. */ pub status: String,
        /** Why it failed. */ pub error: Option<String>,
        /** Where it is from; `sdk` for those of this program. */ pub source: Option<String>,
        /// Its name for itself, and its version.
        pub server_info: Option<RawJson> = "serverInfo",
        /** How it was configured. */ pub config: Option<RawJson>,
        /** Whose configuration that is. */ pub scope: Option<String>,
        /** Its tools. */ pub tools: Vec<RawJson>,
    }
}
