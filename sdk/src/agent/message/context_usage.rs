use super::record::record;

record! {
    /// What fills the model's context.
    pub struct ContextUsage {
        /// The model.
        pub model: String,
        /// How full the context is, in tokens.
        pub total_tokens: u64,
        /// How much the model can read, in tokens.
        pub raw_max_tokens: u64,
        /// How full the context is, in percent.
        pub percentage: f64,
        /// How far it is over a limit.
        pub over_limit: Option<OverLimit>,
        /// What it is filled with.
        pub categories: Vec<ContextCategory>,
        /// The tools of MCP servers.
        pub mcp_tools: Vec<ContextMcpTool>,
        /// The memory files.
        pub memory_files: Vec<ContextMemoryFile>,
        /// The subagents.
        pub agents: Vec<ContextAgent>,
        /// The skills.
        pub skills: Vec<ContextSkill>,
    }
}

record! {
    /// How far the context is over a limit.
    pub struct OverLimit {
        /// What is too much, in tokens.
        pub tokens_over: u64,
        /// `hard_limit` or `compaction_window`.
        pub kind: String,
    }
}

record! {
    /// One kind of what fills the context.
    pub struct ContextCategory {
        /// Its name.
        pub name: String,
        /// Its size, in tokens.
        pub tokens: u64,
        /// `used`, `free`, `buffer` or `deferred`.
        pub kind: String,
    }
}

record! {
    /// A tool of an MCP server in the context.
    pub struct ContextMcpTool {
        /// The tool.
        pub name: String,
        /// Its server.
        pub server_name: String,
        /// Its size, in tokens.
        pub tokens: u64,
    }
}

record! {
    /// A memory file in the context.
    pub struct ContextMemoryFile {
        /// Where it is.
        pub path: String,
        /// Whose it is, such as `Project`.
        pub r#type: String = "type",
        /// Its size, in tokens.
        pub tokens: u64,
    }
}

record! {
    /// A subagent in the context.
    pub struct ContextAgent {
        /// Its kind.
        pub agent_type: String,
        /// Where it is from.
        pub source: String,
        /// Its size, in tokens.
        pub tokens: u64,
    }
}

record! {
    /// A skill in the context.
    pub struct ContextSkill {
        /// Its name.
        pub name: String,
        /// Where it is from.
        pub source: String,
        /// The plugin that brought it.
        pub plugin_name: Option<String>,
        /// Its size, in tokens.
        pub tokens: u64,
    }
}
