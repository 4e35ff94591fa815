//! Checks of the model and its limits.

use serde_json::Value;

use super::complaints::Complaints;
use crate::agent::options::model::ModelOptions;
use crate::agent::options::thinking::Thinking;

pub(super) fn check(options: &ModelOptions, complaints: &mut Complaints) {
    let model = options.model.as_deref().map(str::trim);
    let mut fallbacks = options.fallback_model.iter().flat_map(|models| models.split(','));
    complaints.when(
        fallbacks.any(|fallback| Some(fallback.trim()) == model),
        "fallback_model: it is the model itself, which has nothing to fall back to",
    );
    complaints.when(options.max_turns == Some(0), "max_turns: at least 1 is needed");
    let is_amount = |dollars: &f64| dollars.is_finite() && *dollars > 0.0;
    if let Some(dollars) = options.max_budget_usd.filter(|dollars| !is_amount(dollars)) {
        complaints.add(format!("max_budget_usd: {dollars} is no amount above 0"));
    }
    complaints.when(options.task_budget == Some(0), "task_budget: at least 1 is needed");
    check_thinking(options, complaints);
    if let Some(schema) = &options.json_schema {
        check_schema(schema, complaints);
    }
}

fn check_thinking(options: &ModelOptions, complaints: &mut Complaints) {
    let has_both = options.thinking.is_some() && options.max_thinking_tokens.is_some();
    complaints.when(has_both, "max_thinking_tokens: thinking is set too; say it once");
    let has_no_budget = options.thinking == Some(Thinking::Enabled { budget_tokens: 0 });
    complaints
        .when(has_no_budget, "thinking: a budget of 0 tokens is none; say Thinking::Disabled");
    let shows_nothing =
        options.thinking == Some(Thinking::Disabled) && options.thinking_display.is_some();
    complaints.when(shows_nothing, "thinking_display: thinking is disabled");
}

/// The schema becomes the input schema of a tool, for which APIs accept only objects.
fn check_schema(schema: &Value, complaints: &mut Complaints) {
    match schema.as_object().map(|schema| schema.get("type")) {
        None => complaints.add("json_schema: a schema is a JSON object"),
        Some(Some(kind)) if kind == "object" => {}
        Some(kind) => {
            let found = kind.map_or_else(|| "missing".to_owned(), Value::to_string);
            complaints.add(format!(
                "json_schema or output_type: the type of the root must be \"object\" and is \
                 {found}; make an enum, a list or an Option a field of a struct"
            ));
        }
    }
}
