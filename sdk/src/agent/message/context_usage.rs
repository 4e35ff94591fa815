use crate::agent::wire::{kept, record};

kept! {
    /// The use of the model's context. [`member`](Self::member) gives what else an answer to
    /// [`get_context_usage`](crate::agent::Handle::get_context_usage) has: `apiUsage`, `gridRows`
    /// and so on.
    pub struct ContextUsage {
        /** The model. */ pub model: String,
        /// How full the context is, in tokens.
        pub total_tokens: u64 = "total_tokens" | "totalTokens",
        /// How full it may become, in tokens; 0 where only `raw_max_tokens` is known.
        pub max_tokens: u64 = "max_tokens" | "maxTokens",
        /// How much the model can read, in tokens.
        pub raw_max_tokens: u64 = "raw_max_tokens" | "rawMaxTokens",
        /** How full the context is, in percent. */ pub percentage: f64,
        /** How far it is over a limit. */ pub over_limit: Option<OverLimit>,
        /** Its content by kind. */ pub categories: Vec<ContextCategory>,
        /// The tools of MCP servers.
        pub mcp_tools: Vec<ContextMcpTool> = "mcp_tools" | "mcpTools",
        /// The memory files.
        pub memory_files: Vec<ContextMemoryFile> = "memory_files" | "memoryFiles",
        /** The subagents. */ pub agents: Vec<ContextAgent>,
        /** The skills. */ pub skills: Vec<ContextSkill>,
    }
}

record! {
    /// How far the context is over a limit.
    pub struct OverLimit {
        /** How far, in tokens. */ pub tokens_over: u64,
        /** `hard_limit` or `compaction_window`. */ pub kind: String,
    }

    /// The content of one kind.
    pub struct ContextCategory {
        /** Its name. */ pub name: String,
        /** Its size, in tokens. */ pub tokens: u64,
        /** `used`, `free`, `buffer` or `deferred`. */ pub kind: String,
    }

    /// A tool of an MCP server in the context.
    pub struct ContextMcpTool {
        /** The tool. */ pub name: String,
        /** Its server. */ pub server_name: String = "server_name" | "serverName",
        /** Its size, in tokens. */ pub tokens: u64,
    }

    /// A memory file in the context.
    pub struct ContextMemoryFile {
        /** Where it is. */ pub path: String,
        /** Its owner, such as `Project`. */ pub r#type: String = "type",
        /** Its size, in tokens. */ pub tokens: u64,
    }

    /// A subagent in the context.
    pub struct ContextAgent {
        /** Its kind. */ pub agent_type: String = "agent_type" | "agentType",
        /** Where it is from. */ pub source: String,
        /** Its size, in tokens. */ pub tokens: u64,
    }

    /// A skill in the context.
    pub struct ContextSkill {
        /** Its name. */ pub name: String,
        /** Where it is from. */ pub source: String,
        /// The plugin that brought it.
        pub plugin_name: Option<String> = "plugin_name" | "pluginName",
        /** Its size, in tokens. */ pub tokens: u64,
    }
}
