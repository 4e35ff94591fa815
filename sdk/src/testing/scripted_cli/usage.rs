//! Tokens and costs in the forms of the real CLI.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The usage of a turn. Tokens are input and output.
pub(super) fn of_turn((input, output): (u64, u64)) -> Value {
    json!({
        "input_tokens": input, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "output_tokens": output, "output_tokens_details": {"thinking_tokens": 0},
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        "inference_geo": "", "iterations": [], "speed": "standard", "fallback_credit": null,
    })
}

/// The usage of each model.
pub(super) fn by_model(all: &BTreeMap<String, (u64, u64)>) -> Value {
    let usage = all.iter().map(|(model, tokens)| {
        let usage = json!({
            "inputTokens": tokens.0, "outputTokens": tokens.1, "cacheReadInputTokens": 0,
            "cacheCreationInputTokens": 0, "webSearchRequests": 0, "costUSD": cost(*tokens),
            "contextWindow": 200_000, "maxOutputTokens": 64_000, "thinkingTokens": 0,
            "cacheCreationEphemeral5mInputTokens": 0, "cacheCreationEphemeral1hInputTokens": 0,
            "canonicalModel": model, "provider": "firstParty", "costBasis": "list",
        });
        (model.clone(), usage)
    });
    Value::Object(usage.collect())
}

/// What the tokens of all models cost, in USD.
pub(super) fn total_cost(all: &BTreeMap<String, (u64, u64)>) -> f64 {
    // A `sum` of nothing is -0, which would be printed so.
    all.values().fold(0.0, |sum, tokens| sum + cost(*tokens))
}

/// What the tokens cost, in USD.
fn cost((input, output): (u64, u64)) -> f64 {
    // No script has so many tokens that the numbers would be rounded.
    let number = |tokens| f64::from(u32::try_from(tokens).unwrap_or(u32::MAX));
    number(input) * 4e-6 + number(output) * 20e-6
}
