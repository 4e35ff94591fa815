//! Questions to the client.

use std::future::{IntoFuture, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::mcp::{Elicited, SamplingMessage};
use toolwright::{AskError, Context, Tool, ToolRegistry, data, tool, tools};

use super::harness::World;
use super::toys::Toys;

const PARAMS: &[u8] = br#""message":"Who?","requestedSchema":{"type":"object","properties":{}}"#;

/// A tool that asks who the user is, and how often it was asked and answered.
fn host(log: &Arc<Mutex<Vec<String>>>) -> World {
    let log = log.clone();
    let ask = Tool::new("ask", "", json!({"type": "object"}), move |_: Value, cx: Context| {
        let log = log.clone();
        async move {
            let mut params = |out: &mut Vec<u8>| out.extend_from_slice(PARAMS);
            let answer = cx.ask("elicitation/create", &mut params).await;
            log.lock().unwrap().push(format!("{answer:?}"));
            match answer {
                Ok(answer) => Ok(answer.into_string()),
                Err(error) => Err(error),
            }
        }
    });
    let registry = ToolRegistry::builder("toy").version("1").tool(ask).build().unwrap();
    World::serving(registry, Arc::new(Toys::default()))
}

fn check(script: &str, said: expect_test::Expect, logged: &[&str]) {
    let log = Arc::default();
    let mut world = host(&log);
    said.assert_eq(&world.play(script));
    drop(world);
    assert_eq!(*log.lock().unwrap(), logged);
}

#[test]
fn an_answer_goes_to_the_call_that_has_asked() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           legacy "b" tools/call {"name":"ask"}
           {"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}
           {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":"b","result":{"content":[{"type":"text","text":"{\"action\":\"accept\"}"}]}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"action\":\"decline\"}"}]}}
        "#]],
        &[r#"Ok("{\"action\":\"accept\"}")"#, r#"Ok("{\"action\":\"decline\"}")"#],
    );
}

#[test]
fn an_error_of_the_client_is_one_of_the_question() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"User rejected"}}
           {"jsonrpc":"2.0","id":1,"result":{}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the client refused: User rejected (-1)"}],"isError":true}}
            -
        "#]],
        &[r#"Err(Refused(ErrorObject { code: -1, message: "User rejected", data: None }))"#],
    );
}

#[test]
fn what_an_error_of_the_client_says_is_kept_whatever_its_form() {
    for (answer, code, message) in [
        (r#""error":{"code":-1.0,"message":"no"}"#, -1, "no"),
        (r#""error":{"code":"E1","message":"no"}"#, -32603, "no"),
        (r#""error":{"code":-32601}"#, -32601, r#"{"code":-32601}"#),
        (r#""error":"no""#, -32603, r#""no""#),
        (r#""error":null"#, -32600, "the answer has neither result nor error"),
    ] {
        let log = Arc::default();
        host(&log).play(&format!(
            r#"legacy 1 tools/call {{"name":"ask"}}
               {{"jsonrpc":"2.0","id":1.0,{answer}}}"#
        ));
        let refused = format!(
            "Err(Refused(ErrorObject {{ code: {code}, message: {message:?}, data: None }}))"
        );
        assert_eq!(*log.lock().unwrap(), [refused]);
    }
}

#[test]
fn a_question_is_withdrawn_when_its_call_ends() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           note notifications/cancelled {"requestId":1}
           {"jsonrpc":"2.0","id":1,"result":{}}
           legacy 2 tools/call {"name":"ask"}
           time out 2
           legacy 3 tools/call {"name":"ask"}
           cancel 3
           legacy 4 tools/call {"name":"ask"}
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
            -
            {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"The tool `ask` was stopped: it did not finish within 0ns."}],"isError":true}}
            {"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
            {"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"The tool `ask` was stopped: the server is shutting down."}],"isError":true}}
        "#]],
        &[],
    );
}

const INITIALIZE: &str = r#"legacy 0 initialize {"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"roots":{}},"clientInfo":{"name":"c","version":"1"}}"#;

#[data]
struct Address {
    /// Where the parcel goes.
    #[schemars(length(max = 8))]
    city: String,
    express: Option<bool>,
}

#[tool]
async fn ship(cx: &Context) -> Result<String, AskError> {
    let to = cx.elicit::<Address>("Where to?").default(&json!({"express": true})).await?;
    let to = to.accepted()?;
    let label = cx.once("label", async { Ok::<_, AskError>(7) }).await?;
    let roots = cx.roots().await?;
    Ok(format!("{} {:?} {label} {}", to.city, to.express, roots[0].uri))
}

#[tool]
async fn think(cx: &Context) -> Result<String, AskError> {
    Ok(cx.sample("Think").await?.text())
}

/// Says with each question what Claude Code shows above it.
#[tool]
async fn entitled(cx: &Context) -> Result<String, AskError> {
    const DISPLAY: &str = "anthropic/permissionDisplay";
    let display = |title: &str| json!({"title": title});
    let form = cx.elicit::<Address>("Where to?").meta(DISPLAY, display("Form")).await?;
    let sure = cx.confirm("Sure?").meta(DISPLAY, display("Yes or no")).await?;
    let page = cx.elicit_url("Log in", "https://a.b/").meta(DISPLAY, display("Page")).await?;
    let roots = cx.roots().meta("example.com/why", "to look").await?;
    let said = cx.sample("Think").meta("example.com/why", "to know").meta("b", 2).await?;
    let has_form = form.accepted().is_ok();
    Ok(format!("{has_form} {sure} {page:?} {} {}", roots.len(), said.text()))
}

/// Asks as often as is allowed, and once more.
#[tool]
async fn many(cx: &Context) -> Result<(), AskError> {
    let mut all: Vec<_> = (0..65).map(|_| cx.roots().into_future()).collect();
    poll_fn(|task| {
        let ready = all.iter_mut().find_map(|one| match one.as_mut().poll(task) {
            Poll::Ready(answer) => Some(answer),
            Poll::Pending => None,
        });
        ready.map_or(Poll::Pending, Poll::Ready)
    })
    .await
    .map(drop)
}

fn play(script: &str) -> String {
    play_with(INITIALIZE, script)
}

/// What is said after the answer to `initialize`.
fn play_with(initialize: &str, script: &str) -> String {
    let registry =
        ToolRegistry::builder("toy").version("1").tools(tools![ship, think, entitled, many]);
    let mut world = World::serving(registry.build().unwrap(), Arc::new(Toys::default()));
    let said = world.play(&format!("{initialize}\n{script}"));
    said.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn in_the_legacy_era_questions_are_requests() {
    expect![[r#"
        {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":2,"method":"roots/list","params":{}}
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Bonn None 7 file:///a"}]}}
        {"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"the user has declined"}],"isError":true}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"the client cannot be asked"}],"isError":true}}
    "#]].assert_eq(&play(
        r#"legacy 1 tools/call {"name":"ship"}
           {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"city":"Bonn"}}}
           {"jsonrpc":"2.0","id":2,"result":{"roots":[{"uri":"file:///a"}]}}
           legacy 2 tools/call {"name":"ship"}
           {"jsonrpc":"2.0","id":3,"result":{"action":"decline","content":null}}
           legacy 3 tools/call {"name":"think"}"#,
    ));
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_once_more() {
    expect![[r#"
        {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"form","message":"Where to?\n\nThe last answer did not fit. city: expected at most 8 characters, got 14","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the client's answer is invalid: city: expected string, got number 1"}],"isError":true}}
        {"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"the client's answer is invalid: `action` must be accept, decline or cancel"}],"isError":true}}
        {"jsonrpc":"2.0","id":4,"method":"elicitation/create","params":{"mode":"form","message":"Where to?","requestedSchema":{"type":"object","properties":{"city":{"type":"string","description":"Where the parcel goes.","maxLength":8},"express":{"type":"boolean","default":true}},"required":["city"]}}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"the client's answer is invalid: invalid type: string \"str\", expected an object"}],"isError":true}}
    "#]].assert_eq(&play(
        r#"legacy 1 tools/call {"name":"ship"}
           {"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"city":"Constantinople"}}}
           {"jsonrpc":"2.0","id":2,"result":{"action":"accept","content":{"city":1}}}
           legacy 2 tools/call {"name":"ship"}
           {"jsonrpc":"2.0","id":3,"result":{"action":"explode"}}
           legacy 3 tools/call {"name":"ship"}
           {"jsonrpc":"2.0","id":4,"result":"str"}"#,
    ));
}

#[test]
fn a_question_of_any_kind_has_the_meta_that_it_was_given() {
    let client = INITIALIZE
        .replace(r#""elicitation":{}"#, r#""elicitation":{"form":{},"url":{}},"sampling":{}"#);
    let said = play_with(
        &client,
        r#"legacy 1 tools/call {"name":"entitled"}
           {"jsonrpc":"2.0","id":1,"result":{"action":"decline"}}
           {"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}
           {"jsonrpc":"2.0","id":3,"result":{"action":"cancel"}}
           {"jsonrpc":"2.0","id":4,"result":{"roots":[]}}
           {"jsonrpc":"2.0","id":5,"result":{"role":"assistant","content":{"type":"text","text":"42"},"model":"m"}}"#,
    );
    let metas = said.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        format!("{} {}\n", line["method"].as_str().unwrap_or("-"), line["params"]["_meta"])
    });
    expect![[r#"
        elicitation/create {"anthropic/permissionDisplay":{"title":"Form"}}
        elicitation/create {"anthropic/permissionDisplay":{"title":"Yes or no"}}
        elicitation/create {"anthropic/permissionDisplay":{"title":"Page"}}
        roots/list {"example.com/why":"to look"}
        sampling/createMessage {"example.com/why":"to know","b":2}
        - null
    "#]]
    .assert_eq(&metas.collect::<String>());
}

#[tokio::test]
async fn a_yes_counts_whatever_comes_along_with_it() {
    for content in [json!([]), json!(""), json!({"a": 1}), Value::Null] {
        let answer = json!({"action": "accept", "content": content});
        let cx = Context::detached().answering(move |asked| asked.result(answer.clone()));
        assert_eq!(cx.confirm("Sure?").await, Ok(true));
        assert_eq!(cx.elicit_url("Log in", "https://a.b/").await, Ok(Elicited::Accepted(())));
        let form = cx.elicit_schema("Who?", json!({"type": "object"})).await;
        assert_eq!(form.is_ok(), !content.is_string() && !content.is_array(), "{form:?}");
    }
}

#[tokio::test]
async fn a_model_that_must_call_a_tool_may_answer_after_its_first_call() {
    let tools = ToolRegistry::builder("t").tools(tools![many]).build().unwrap();
    let modes = Arc::new(Mutex::new(Vec::new()));
    let log = modes.clone();
    let cx = Context::detached().answering(move |asked| {
        let mode = asked.params()["toolChoice"]["mode"].as_str().unwrap().to_owned();
        let mut log = log.lock().unwrap();
        log.push(mode);
        match log.len() {
            1 | 4 | 5 => asked.call("call", "many", json!({})),
            _ => asked.say("done"),
        }
    });
    let prompt = String::from("Think");
    cx.sample(&prompt).tools(&tools).require_tools().await.unwrap();
    cx.sample(&prompt).tools(&tools).await.unwrap();
    let message = SamplingMessage::user(&prompt);
    cx.sample(&prompt).message(message).tools(&tools).require_tools().max_turns(1).await.unwrap();
    assert_eq!(*modes.lock().unwrap(), ["required", "auto", "auto", "required", "none"]);
}

#[test]
fn open_questions_are_bounded() {
    let said = play(r#"legacy 1 tools/call {"name":"many"}"#);
    assert_eq!(said.matches("\"method\":\"roots/list\"").count(), 64);
    assert_eq!(said.matches("notifications/cancelled").count(), 64);
    assert!(said.contains("too many questions are open already"), "{said}");
}

#[test]
fn a_long_answer_is_invalid() {
    let long = format!("file:///{}", "x".repeat(1024 * 1024));
    let said = play(&format!(
        r#"legacy 1 tools/call {{"name":"ship"}}
           {{"jsonrpc":"2.0","id":1,"result":{{"action":"accept","content":{{"city":"{long}"}}}}}}"#
    ));
    assert!(said.contains("the client's answer is invalid: it has more than 1 MiB"), "{said}");
}

#[test]
fn an_answer_may_have_its_id_as_a_floating_point_number_and_an_error_that_is_null() {
    check(
        r#"legacy 1 tools/call {"name":"ask"}
           {"jsonrpc":"2.0","id":1.0,"result":{"action":"accept"},"error":null}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"action\":\"accept\"}"}]}}
        "#]],
        &[r#"Ok("{\"action\":\"accept\"}")"#],
    );
}

#[test]
fn an_answer_that_is_too_long_to_be_read_ends_its_question_wherever_its_id_is() {
    for (head, tail) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":"xx"#, r#"xx"}}"#),
        (r#"{"jsonrpc":"2.0","result":{"a":"xx"#, r#"xx"},"id":1}"#),
    ] {
        let log = Arc::default();
        let mut world = host(&log);
        world.play(r#"legacy 1 tools/call {"name":"ask"}"#);
        world.too_long(head.as_bytes(), tail.as_bytes());
        world.play("legacy 2 ping");
        let logged = log.lock().unwrap().concat();
        assert!(logged.contains("the line has 70000000 bytes"), "{tail}: {logged}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_ends_its_question() {
    let answers: [(&[u8], bool); 6] = [
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}", true),
        (br#"{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}"#, true),
        (br#"{"jsonrpc":"2.0","id":1,"result":{"a":"#, true),
        // It may be the answer to another question.
        (br#"{"jsonrpc":"2.0","result":{},"id":1"#, false),
        (br#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{"a":NaN}}"#, false),
        (br#"{"jsonrpc":1,"id":1,"\u006dethod":"ping","result":{}}"#, false),
    ];
    for (line, ends) in answers {
        let log = Arc::default();
        let mut world = host(&log);
        world.play(r#"legacy 1 tools/call {"name":"ask"}"#);
        world.line(line);
        world.play("legacy 2 ping");
        let logged = log.lock().unwrap().concat();
        let line = String::from_utf8_lossy(line);
        assert_eq!(logged.starts_with("Err(Refused(ErrorObject { code: -32700"), ends, "{line}");
    }
}
