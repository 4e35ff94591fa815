//! Requests that cannot be shown as they are to whoever decides.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use toolwright::agent::hook::HookMatcher;
use toolwright::agent::{HookContext, HookOutput, Permission, PermissionRequest, query};

use super::fake::Fake;
use super::{Heard, result, within};

#[tokio::test]
async fn what_rust_cannot_hold_is_not_decided_on() {
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let inputs = [format!("{{\"a\":{deep}}}"), "{\"a\":1e400}".to_owned()];
    let mut fake = Fake::initialized().then("user");
    for (at, input) in inputs.iter().enumerate() {
        fake = fake
            .text(format!(
                "{{\"type\":\"control_request\",\"request_id\":\"p{at}\",\"request\":\
                 {{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":{input}}}}}\n\
                 {{\"type\":\"control_request\",\"request_id\":\"h{at}\",\"request\":\
                 {{\"subtype\":\"hook_callback\",\"callback_id\":\"hook_0\",\"input\":{input}}}}}\n"
            ))
            .with("answers", json!([format!("p{at}"), format!("h{at}")]));
    }
    let fake = fake.then("report").say(result());
    let counts = move || {
        counted.fetch_add(1, Ordering::Relaxed);
    };
    let hook_counts = counts.clone();
    let options = fake
        .options()
        .can_use_tool(move |_: PermissionRequest| {
            counts();
            async { Permission::allow() }
        })
        .hook(HookMatcher::pre_tool_use("*"), move |_, _: HookContext| {
            hook_counts();
            async { HookOutput::default() }
        });
    let report = Heard::of(&mut within(query("Go.", options.build().unwrap())).await.unwrap())
        .await
        .report();
    for id in ["p0", "p1", "h0", "h1"] {
        assert_eq!(report.answer(id)["subtype"], "error", "{id}");
    }
    assert_eq!(asked.load(Ordering::Relaxed), 0, "nobody was shown an empty request in its place");
}

#[tokio::test]
async fn half_a_character_hides_nothing_of_a_request() {
    let input = r#"{"command":"rm \ud83d \\ud83d \ud83d\ude00"}"#;
    let fake = Fake::initialized()
        .then("user")
        .text(format!(
            "{{\"type\":\"control_request\",\"request_id\":\"p\",\"request\":\
             {{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"input\":{input}}}}}\n"
        ))
        .with("answers", json!(["p"]))
        .then("report")
        .say(result());
    let options = fake.options().can_use_tool(|request: PermissionRequest| async move {
        Permission::deny(format!(
            "{}: {}",
            request.tool_name,
            request.input.to_value()["command"].as_str().unwrap_or_default()
        ))
    });
    let report = Heard::of(&mut within(query("Go.", options.build().unwrap())).await.unwrap())
        .await
        .report();
    assert_eq!(report.answer("p")["response"]["message"], "Bash: rm \u{fffd} \\ud83d \u{1f600}");
}
