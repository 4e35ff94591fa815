use crate::agent::wire::record;

record! {
    /// What requests to the API used, in tokens.
    pub struct Usage {
        /** Tokens sent that no cache was asked for. */ pub input_tokens: u64,
        /** Tokens received. */ pub output_tokens: u64,
        /** Tokens sent and written to the cache. */ pub cache_creation_input_tokens: u64,
        /** Tokens read from the cache. */ pub cache_read_input_tokens: u64,
        /// Tokens written to the cache, by how long they stay there.
        pub cache_creation: Option<CacheCreation>,
        /** What the received tokens are. */ pub output_tokens_details: Option<OutputTokens>,
        /** Calls of tools that the API runs. */ pub server_tool_use: Option<ServerToolUsage>,
        /** `standard`, `priority` or `batch`. */ pub service_tier: Option<String>,
    }

    /// Tokens written to the cache, by how long they stay there.
    pub struct CacheCreation {
        /** Tokens that stay for five minutes. */ pub ephemeral_5m_input_tokens: u64,
        /** Tokens that stay for an hour. */ pub ephemeral_1h_input_tokens: u64,
    }

    /// What the received tokens are.
    pub struct OutputTokens {
        /** Tokens of thinking. */ pub thinking_tokens: u64,
    }

    /// Calls of tools that the API runs.
    pub struct ServerToolUsage {
        /** Searches. */ pub web_search_requests: u64,
        /** Pages fetched. */ pub web_fetch_requests: u64,
    }

    /// What one model used and cost.
    pub struct ModelUsage {
        /** Tokens sent that no cache was asked for. */ pub input_tokens: u64 = "inputTokens",
        /** Tokens received. */ pub output_tokens: u64 = "outputTokens",
        /// Those of them that are thinking, in tokens.
        pub thinking_tokens: u64 = "thinkingTokens",
        /// Tokens read from the cache.
        pub cache_read_input_tokens: u64 = "cacheReadInputTokens",
        /// Tokens sent and written to the cache.
        pub cache_creation_input_tokens: u64 = "cacheCreationInputTokens",
        /// Those of them that stay for five minutes, in tokens.
        pub cache_creation_ephemeral_5m_input_tokens: u64 = "cacheCreationEphemeral5mInputTokens",
        /// Those of them that stay for an hour, in tokens.
        pub cache_creation_ephemeral_1h_input_tokens: u64 = "cacheCreationEphemeral1hInputTokens",
        /** Searches. */ pub web_search_requests: u64 = "webSearchRequests",
        /** The cost in USD. */ pub cost_usd: f64 = "costUSD",
        /** How much the model can read, in tokens. */ pub context_window: u64 = "contextWindow",
        /// How much the model can write, in tokens.
        pub max_output_tokens: u64 = "maxOutputTokens",
        /** The model's full name. */ pub canonical_model: Option<String> = "canonicalModel",
        /** Who runs the model, such as `firstParty`. */ pub provider: Option<String>,
        /// What the cost is computed from: `list`, `managed` or `unknown`.
        pub cost_basis: Option<String> = "costBasis",
    }
}

impl ModelUsage {
    /// Adds counts and cost; all other fields are those of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        let before = std::mem::replace(self, other.clone());
        let counts = [
            (&mut self.input_tokens, before.input_tokens),
            (&mut self.output_tokens, before.output_tokens),
            (&mut self.thinking_tokens, before.thinking_tokens),
            (&mut self.cache_read_input_tokens, before.cache_read_input_tokens),
            (&mut self.cache_creation_input_tokens, before.cache_creation_input_tokens),
            (
                &mut self.cache_creation_ephemeral_5m_input_tokens,
                before.cache_creation_ephemeral_5m_input_tokens,
            ),
            (
                &mut self.cache_creation_ephemeral_1h_input_tokens,
                before.cache_creation_ephemeral_1h_input_tokens,
            ),
            (&mut self.web_search_requests, before.web_search_requests),
        ];
        for (count, before) in counts {
            *count = count.saturating_add(before);
        }
        self.cost_usd += before.cost_usd;
    }
}
