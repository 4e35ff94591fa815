//! What the CLI offers: models, agents, and the account that pays.

use crate::agent::wire::kept;

kept! {
    /// A model that the session can use.
    pub struct ModelInfo {
        /// What [`set_model`](crate::agent::Handle::set_model) takes, such as `sonnet`.
        pub value: String,
        /// The full name of the model that is meant now.
        pub resolved_model: Option<String> = "resolvedModel",
        /** Its name, for people. */ pub display_name: String = "displayName",
        /** What it is for, and its price, for people. */ pub description: String,
        /** Whether it can be told how much effort to make. */
        pub supports_effort: bool = "supportsEffort",
        /** The levels of effort: `low`, `medium`, `high`, `xhigh`, `max`. */
        pub supported_effort_levels: Vec<String> = "supportedEffortLevels",
        /** Whether it decides by itself how much it thinks. */
        pub supports_adaptive_thinking: bool = "supportsAdaptiveThinking",
        /** Whether it has a fast mode. */ pub supports_fast_mode: bool = "supportsFastMode",
        /** Whether it can be used in the permission mode `auto`. */
        pub supports_auto_mode: bool = "supportsAutoMode",
    }

    /// A subagent that the model can delegate work to.
    pub struct AgentInfo {
        /** Its name. */ pub name: String,
        /** When the model delegates to it. */ pub description: String,
        /** Its model; that of the conversation without it. */ pub model: Option<String>,
    }

    /// The account that requests to the API are made with.
    pub struct AccountInfo {
        /** Its address. */ pub email: Option<String>,
        /** Its organization. */ pub organization: Option<String>,
        /** Its plan, such as `max`. */
        pub subscription_type: Option<String> = "subscriptionType",
        /** Where its token is from. */ pub token_source: Option<String> = "tokenSource",
        /** Where its API key is from, such as `ANTHROPIC_API_KEY`. */
        pub api_key_source: Option<String> = "apiKeySource",
        /** Who answers: `firstParty`, `bedrock`, `vertex`, `gateway` and so on. */
        pub api_provider: Option<String> = "apiProvider",
    }
}
