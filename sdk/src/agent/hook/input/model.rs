//! Inputs of the events about models.

use super::inputs;
use crate::agent::wire::words;

inputs! {
    /// The input of a `PreModelSwitch` hook.
    PreModelSwitchInput,
    /// The input of a `PostModelSwitch` hook.
    PostModelSwitchInput,
    => {
        /** The model before the switch. */ from_model: String,
        /** The model after it. */ to_model: String,
        /** The model that was asked for; the default if absent. */ requested_model: Option<String>,
        /** Who wants it. */ source: ModelSwitchSource,
        /** How much of the context is used. */ context_tokens: u64,
        /// Whether the prompt is cached for the model before the switch.
        prompt_cache_warm: bool,
        /** How long the cache lasts. */ cache_ttl: CacheTtl,
        /** The cost of caching the prompt again, in USD. */ estimated_cache_write_usd: f64,
        /** Where the prices come from. */ pricing: ModelPricing,
    }
}

words! {
    /// Who wants another model.
    ModelSwitchSource {
        /** The user, by a command. */ Command = "command",
        /** The user, who picked it. */ Picker = "picker",
        /** The program that uses the SDK. */ Sdk = "sdk",
        /** The CLI. */ Auto = "auto",
        /** The session that goes on had it. */ Resume = "resume",
    }

    /// How long a cached prompt lasts.
    CacheTtl {
        /** Five minutes. */ FiveMinutes = "5m",
        /** One hour. */ OneHour = "1h",
    }

    /// Where prices come from.
    ModelPricing {
        /** The settings. */ Configured = "configured",
        /** The CLI's list. */ Catalog = "catalog",
        /** A guess. */ Default = "default",
    }
}
