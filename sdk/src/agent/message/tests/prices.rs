use serde_json::{Value, json};

use crate::agent::Message;
use crate::agent::message::{Prices, Rates, Usage};

fn usage(usage: Value) -> Usage {
    let line = json!({"type": "result", "usage": usage}).to_string();
    match Message::parse(line) {
        Message::Result(result) => result.usage,
        other => panic!("{other:?}"),
    }
}

fn is_near(one: Option<f64>, other: f64) -> bool {
    one.is_some_and(|one| (one - other).abs() < 1e-12)
}

#[test]
fn each_kind_of_token_has_its_rate() {
    let prices = Prices::default();
    let estimate = |tokens| prices.estimate("claude-opus-5-5", &usage(tokens));
    assert!(is_near(estimate(json!({"input_tokens": 1000})), 0.004));
    assert!(is_near(estimate(json!({"output_tokens": 1000})), 0.02));
    assert!(is_near(estimate(json!({"cache_creation_input_tokens": 1000})), 0.005));
    let hour = json!({"cache_creation_input_tokens": 1000, "cache_creation": {"ephemeral_1h_input_tokens": 400}});
    assert!(is_near(estimate(hour), 0.003 + 0.0032));
    assert!(is_near(estimate(json!({"cache_read_input_tokens": 1000})), 0.0002));
    assert!(is_near(estimate(json!({"server_tool_use": {"web_search_requests": 3}})), 0.03));
}

#[test]
fn a_long_request_costs_more() {
    let prices = Prices::default();
    let estimate = |tokens| prices.estimate("claude-haiku-5-5", &usage(tokens));
    assert!(is_near(estimate(json!({"input_tokens": 100_000})), 0.01));
    let long = json!({"input_tokens": 50_000, "cache_read_input_tokens": 100_000});
    assert!(is_near(estimate(long), 0.025 + 0.005));
}

#[test]
fn users_change_the_list() {
    let mut prices = Prices::default();
    let thousand = usage(json!({"input_tokens": 1000}));
    assert_eq!(prices.rates("claude-opus-5-5-20261118").unwrap().1, "2026-11-22");
    assert!(prices.rates("claude-opus-5-5-2026111x").is_none() && prices.rates("").is_none());
    prices.set("claude-opus-5-5", Rates::new(1.0, 2.0), "2027-01-01");
    prices.set_web_search(0.5);
    assert!(is_near(prices.estimate("claude-opus-5-5", &thousand), 0.001));
    assert_eq!(prices.rates("claude-opus-5-5").unwrap().1, "2027-01-01");
    assert_eq!(Prices::none().estimate("claude-opus-5-5", &thousand), None);
}
