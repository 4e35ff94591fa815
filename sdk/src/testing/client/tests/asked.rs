//! Questions of tools, answered by the client.

use std::sync::mpsc::channel;

use serde_json::Value;
use toolwright::testing::TestClient;
use toolwright::{
    AskError, Context, Eras, State, ToolRegistry, data, json, prompt, prompts, resource, resources,
    tool, tools,
};

use super::program;

#[data]
struct Address {
    city: String,
    floor: Option<i8>,
}

#[tool]
async fn ship(cx: &Context) -> Result<String, AskError> {
    let to = cx.elicit::<Address>("Where to?").await?.accepted()?;
    let roots = cx.roots().await?;
    cx.elicit_url("Pay", "https://example.com/pay").await?.accepted()?;
    Ok(format!("{} {:?} from {}", to.city, to.floor, roots[0].uri))
}

#[tool]
async fn ask(cx: &Context, tools: State<ToolRegistry>) -> Result<String, AskError> {
    Ok(cx.sample("What is 2 + 3?").tools(&tools).await?.text())
}

#[tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Take a note.
#[prompt]
async fn note(about: Topic) -> &'static str {
    match about {
        Topic::Rust => "Rust",
        Topic::Ruby => "Ruby",
    }
}

#[data]
enum Topic {
    Rust,
    Ruby,
}

#[resource("notes://{topic}")]
async fn notes(topic: Topic) -> &'static str {
    match topic {
        Topic::Rust => "crabs",
        Topic::Ruby => "gems",
    }
}

/// A client in each era.
fn clients() -> [(TestClient, ToolRegistry); 2] {
    [Eras::Legacy, Eras::Modern].map(|era| {
        let inner = ToolRegistry::builder("inner").tools(tools![add]).build().unwrap();
        let registry = ToolRegistry::builder("shop")
            .eras(era)
            .state(inner)
            .tools(tools![ship, ask])
            .prompts(prompts![note])
            .resources(resources![notes])
            .build()
            .unwrap();
        (TestClient::in_memory(&registry).unwrap(), registry)
    })
}

#[test]
fn every_question_is_answered() {
    for (mut client, _) in clients() {
        // A client without answers declares nothing.
        client.expect_error("ship", json!({})).unwrap();
        client
            .on_elicit(|asked| match asked.message() {
                "Pay" => asked.agree(),
                _ => asked.accept(json!({"city": "Bonn", "floor": 3})),
            })
            .unwrap();
        client.roots(["file:///shop"]).unwrap();
        let shipped = client.call("ship", json!({})).unwrap();
        assert_eq!(shipped.to_text(), "Bonn Some(3) from file:///shop");
        client.on_elicit(|asked| asked.cancel()).unwrap();
        let cancelled = client.expect_error("ship", json!({})).unwrap();
        assert_eq!(cancelled, "the user has closed the question");
    }
}

#[test]
fn the_model_of_the_client_calls_tools() {
    for (mut client, _) in clients() {
        client
            .on_sample(|asked| {
                let messages = asked.params()["messages"].as_array().unwrap();
                match &messages[..] {
                    [_] => asked.call("t1", "add", json!({"a": 2, "b": 3})),
                    [_, call, result] => {
                        assert_eq!(call["content"]["type"], "tool_use");
                        assert_eq!(result["content"]["toolUseId"], "t1");
                        let sum = result["content"]["content"][0]["text"].as_str().unwrap();
                        asked.say(format!("It is {sum}."))
                    }
                    more => panic!("{more:?}"),
                }
            })
            .unwrap();
        assert_eq!(client.call("ask", json!({})).unwrap().to_text(), "It is 5.");
    }
}

/// Some models refuse a conversation without what they have said of a call.
#[test]
fn a_call_goes_back_to_the_model_as_it_came() {
    for (mut client, _) in clients() {
        client
            .on_sample(|asked| {
                let call = json!({
                    "type": "tool_use", "id": "t1", "name": "add", "input": {"a": 2, "b": 3},
                    "_meta": {"example.com/signature": "s"}
                });
                match &asked.params()["messages"].as_array().unwrap()[..] {
                    [_] => asked
                        .result(json!({"role": "assistant", "content": [call], "model": "test"})),
                    messages => {
                        assert_eq!(messages[1]["content"], call);
                        asked.result(json!({
                            "role": "assistant", "model": "test",
                            "content": {"type": "text", "text": "5", "_meta": null}
                        }))
                    }
                }
            })
            .unwrap();
        assert_eq!(client.call("ask", json!({})).unwrap().to_text(), "5");
    }
}

#[test]
fn what_a_client_refuses_is_an_error_of_the_tool() {
    let [(mut legacy, _), (mut modern, _)] = clients();
    for client in [&mut legacy, &mut modern] {
        client.on_sample(|asked| asked.refuse(-1, "User rejected sampling request")).unwrap();
    }
    let refused = legacy.expect_error("ask", json!({})).unwrap();
    assert_eq!(refused, "the client refused: User rejected sampling request (-1)");
    // There the tool does not learn of it.
    let error = modern.call("ask", json!({})).unwrap_err().to_string();
    assert!(error.contains("what the client does not answer: {"), "{error}");
    assert!(error.contains("What is 2 + 3?"), "{error}");
}

/// Look for mistakes.
#[prompt]
async fn review(cx: &Context) -> Result<String, AskError> {
    Ok(format!("all: {}", cx.confirm("All of it?").await?))
}

#[resource("diffs://last")]
async fn diff(cx: &Context) -> Result<String, AskError> {
    Ok(format!("all: {}", cx.confirm("All of it?").await?))
}

#[test]
fn a_prompt_and_a_resource_whose_question_is_refused_fail() {
    let registry = ToolRegistry::builder("code").prompts(prompts![review]);
    let registry = registry.resources(resources![diff]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap().modern();
    client.on_elicit(|asked| asked.refuse(-1, "no")).unwrap();
    let prompt = client.get_prompt("review", ()).map(drop);
    let resource = client.read_resource("diffs://last").map(drop);
    for failed in [prompt, resource] {
        let error = failed.unwrap_err().to_string();
        assert!(error.contains("what the client does not answer: {"), "{error}");
        assert!(error.contains("All of it?") && error.contains("request: {"), "{error}");
    }
    client.on_elicit(|asked| asked.agree()).unwrap();
    let prompt = client.get_prompt("review", ()).unwrap();
    assert_eq!(prompt["messages"][0]["content"]["text"], "all: true");
    assert_eq!(client.read_resource("diffs://last").unwrap()[0]["text"], "all: true");
}

#[test]
fn prompts_resources_and_completion_are_spoken() {
    for (mut client, registry) in clients() {
        assert_eq!(client.list_prompts().unwrap()[0]["name"], "note");
        assert_eq!(client.list_resources().unwrap(), [json!(null); 0]);
        let templates = client.list_resource_templates().unwrap();
        assert_eq!(templates[0]["uriTemplate"], "notes://{topic}");
        let prompt = client.get_prompt("note", json!({"about": "Rust"})).unwrap();
        assert_eq!(prompt["messages"][0]["content"]["text"], "Rust");
        assert_eq!(client.read_resource("notes://Ruby").unwrap()[0]["text"], "gems");
        assert_eq!(client.complete_prompt("note", "about", "Ru").unwrap(), ["Rust", "Ruby"]);
        let completed = client.complete_resource("notes://{topic}", "topic", "Rub").unwrap();
        assert_eq!(completed, ["Ruby"]);
        client.subscribe("notes://Rust").unwrap();
        client.notifications().unwrap();
        registry.resource_updated("notes://Rust");
        let updated = client.notifications().unwrap();
        assert_eq!(updated[0]["params"]["uri"], "notes://Rust");
    }
}

#[test]
fn a_subscription_that_is_refused_or_not_granted_fails() {
    let long = format!("notes://{}", "x".repeat(70_000));
    for (mut client, _) in clients() {
        let error = client.subscribe(&long).unwrap_err().to_string();
        assert!(error.contains("Invalid request"), "{error}");
        client.subscribe("notes://Rust").unwrap();
    }
    let registry = ToolRegistry::builder("toy").tools(tools![add]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap().modern();
    let error = client.subscribe("notes://Rust").unwrap_err().to_string();
    assert!(error.starts_with("the server has not granted the subscription"), "{error}");
    assert!(error.contains("notes://Rust"), "{error}");
    // Of a subscription there is nothing.
    assert_eq!(client.notifications().unwrap(), [json!(null); 0]);
}

#[test]
fn a_call_that_asks_without_end_says_so() {
    let asks = json!({
        "method": "elicitation/create",
        "params": {"message": "Go on?", "requestedSchema": {"type": "object", "properties": {}}}
    });
    let result = json!({"resultType": "input_required", "inputRequests": {"on": asks}});
    let answers = (0..20).map(|id| json!({"jsonrpc": "2.0", "id": id, "result": result}));
    let mut client = program(answers).modern();
    client.on_elicit(|asked| asked.agree()).unwrap();
    let error = client.call("ask", json!({})).unwrap_err().to_string();
    assert!(error.starts_with("the server asks more than 10 times, or "), "{error}");
    assert!(error.contains("Go on?") && error.contains(r#""name":"ask""#), "{error}");
}

#[test]
fn the_state_of_a_round_goes_back_in_that_round() {
    let asks = |id, state: Value| json!({"jsonrpc": "2.0", "id": id, "result": state});
    let answers = [
        asks(0, json!({"resultType": "input_required", "requestState": "first"})),
        asks(1, json!({"resultType": "input_required", "inputRequests": {}})),
        asks(2, json!({"content": []})),
    ];
    let (said, lines) = channel();
    let watch = move |_, line: &str| said.send(line.to_owned()).unwrap();
    program(answers).modern().watch(watch).call("ask", json!({})).unwrap();
    let calls = lines.try_iter().filter(|line| line.contains("tools/call"));
    let states = Vec::from_iter(calls.map(|call| call.contains("requestState")));
    assert_eq!(states, [false, true, false]);
}

#[test]
fn a_ping_of_the_server_is_answered() {
    let ping = json!({"jsonrpc": "2.0", "id": 0, "method": "ping"});
    let mut client = program([ping, json!({"jsonrpc": "2.0", "id": 0, "result": {}})]);
    assert_eq!(client.request("ping", json!({})).unwrap()["result"], json!({}));
}

/// Asks, and says that it has.
#[tool]
async fn ask_and_tell(cx: &Context) -> Result<bool, AskError> {
    let told = async {
        cx.progress(0.5, "asked");
        Ok(())
    };
    Ok(tokio::try_join!(cx.confirm("Go on?").into_future(), told)?.0)
}

#[test]
fn a_question_that_has_come_while_progress_is_taken_is_answered() {
    let registry = ToolRegistry::builder("toy").tools(tools![ask_and_tell]).build().unwrap();
    let mut client = TestClient::in_memory(&registry).unwrap();
    client.on_elicit(|asked| asked.agree()).unwrap();
    let id = client.start_call("ask_and_tell", json!({})).unwrap();
    while client.progress().unwrap().is_empty() {
        std::thread::yield_now();
    }
    assert_eq!(client.finish_call(id).unwrap().to_text(), "true");
}
