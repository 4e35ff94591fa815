//! `prompts/list` and `prompts/get`.

use std::sync::Arc;

use expect_test::expect;
use serde_json::json;
use toolwright::mcp::PromptResult;
use toolwright::{
    Annotations, Content, Icon, Image, Prompt, PromptArgument, PromptMessage, Role, ToolRegistry,
};

use super::harness::{World, check_in};
use super::toys::Toys;

fn world() -> World {
    let plain = Prompt::new("plain", "", [], async |_, _| "Hello");
    let arguments = [
        PromptArgument::required("code", "What to review"),
        PromptArgument::required("language", ""),
        PromptArgument::optional("tone", "How to say it"),
    ];
    let review = Prompt::new("review", "Review code", arguments, async |given, cx| {
        assert!(cx.request_id().is_some());
        let tone = given.get("tone").map_or("plain", |tone| tone);
        vec![
            PromptMessage::user(format!("Review {} in {}.", given["code"], given["language"])),
            PromptMessage::assistant(format!("I will be {tone}.")),
            PromptMessage::user(Image::png(b"x")),
        ]
    });
    let review = review.with_title("Review").with_icon(Icon::new("https://example.com/i.png"));
    let fails = Prompt::new("fails", "", [], async |_, _| Err::<String, _>("no such branch"));
    let panics = Prompt::new("panics", "", [], async |_, _| -> String { panic!("private") });
    let registry = ToolRegistry::builder("toy").version("1");
    let prompts = [plain, review.with_meta("com.example/a", 1), fails, panics];
    World::serving(registry.prompts(prompts).build().unwrap(), Arc::new(Toys::default()))
}

#[test]
fn prompts_are_listed_in_each_revision() {
    check_in(
        world(),
        r#"legacy 1 initialize {"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 prompts/list
           legacy 3 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 4 prompts/list
           modern 5 prompts/list
           modern 6 prompts/list {"cursor":"x"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"plain"},{"name":"review","description":"Review code","arguments":[{"name":"code","description":"What to review","required":true},{"name":"language","required":true},{"name":"tone","description":"How to say it","required":false}]},{"name":"fails"},{"name":"panics"}]}}
            {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":4,"result":{"prompts":[{"name":"plain"},{"name":"review","title":"Review","description":"Review code","arguments":[{"name":"code","description":"What to review","required":true},{"name":"language","required":true},{"name":"tone","description":"How to say it","required":false}],"icons":[{"src":"https://example.com/i.png"}],"_meta":{"com.example/a":1}},{"name":"fails"},{"name":"panics"}]}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","prompts":[{"name":"plain"},{"name":"review","title":"Review","description":"Review code","arguments":[{"name":"code","description":"What to review","required":true},{"name":"language","required":true},{"name":"tone","description":"How to say it","required":false}],"icons":[{"src":"https://example.com/i.png"}],"_meta":{"com.example/a":1}},{"name":"fails"},{"name":"panics"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`cursor` is none that this server gave for its present prompts"}}
        "#]],
    );
}

#[test]
fn arguments_are_texts() {
    check_in(
        world(),
        r#"legacy 1 prompts/get {"name":"plain"}
           modern 2 prompts/get {"name":"review","arguments":{"code":"fn","language":"Rust","other":7}}
           legacy 3 prompts/get {"name":"review","arguments":{"code":"fn","language":"Rust","tone":null}}
           legacy 4 prompts/get {"name":"review","arguments":{"tone":"kind"}}
           legacy 5 prompts/get {"name":"review","arguments":{"code":"fn","language":{"a":1},"tone":3}}
           legacy 6 prompts/get {"name":"review","arguments":[]}
           legacy 7 prompts/get {"name":"other"}
           legacy 8 prompts/get {}
           modern 9 prompts/get {"name":"fails"}
           modern 10 prompts/get {"name":"panics"}
           legacy 11 prompts/get {"name":"review","arguments":{"code":"\ud800","tone":"\udc00!"}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}]}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","description":"Review code","messages":[{"role":"user","content":{"type":"text","text":"Review fn in Rust."}},{"role":"assistant","content":{"type":"text","text":"I will be plain."}},{"role":"user","content":{"type":"image","data":"eA==","mimeType":"image/png"}}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":3,"result":{"description":"Review code","messages":[{"role":"user","content":{"type":"text","text":"Review fn in Rust."}},{"role":"assistant","content":{"type":"text","text":"I will be plain."}},{"role":"user","content":{"type":"image","data":"eA==","mimeType":"image/png"}}]}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Invalid arguments for `review`:\n- /code: missing, expected string\n- /language: missing, expected string"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid arguments for `review`:\n- /language: must be a string: every argument is given as text\n- /tone: must be a string: every argument is given as text"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`arguments` must be an object"}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown prompt: other. There are: plain, review, fails, panics"}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32602,"message":"`name` must be a string"}}
            {"jsonrpc":"2.0","id":9,"error":{"code":-32603,"message":"no such branch"}}
            {"jsonrpc":"2.0","id":10,"error":{"code":-32603,"message":"The prompt `panics` failed: an internal error stopped it."}}
            {"jsonrpc":"2.0","id":11,"error":{"code":-32602,"message":"Invalid arguments for `review`:\n- /code: has half of a surrogate pair\n- /tone: has half of a surrogate pair\n- /language: missing, expected string"}}
        "#]],
    );
}

#[test]
fn a_result_has_the_description_of_the_prompt_or_one_of_its_own() {
    let result = || PromptResult::from(vec![PromptMessage::user("Review it.")]);
    let own = move |text| {
        Prompt::new("own", "Review", [], async move |_, _| {
            Ok::<_, String>(result().with_description(text))
        })
    };
    let prompts = [
        Prompt::new("same", "Review", [], async move |_, _| result()),
        own("Review of main"),
        own("").with_name("none"),
    ];
    let registry = ToolRegistry::builder("toy").version("1").prompts(prompts).build().unwrap();
    check_in(
        World::serving(registry, Arc::new(Toys::default())),
        r#"legacy 1 prompts/get {"name":"same"}
           legacy 2 prompts/get {"name":"own"}
           legacy 3 prompts/get {"name":"none"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"description":"Review","messages":[{"role":"user","content":{"type":"text","text":"Review it."}}]}}
            {"jsonrpc":"2.0","id":2,"result":{"description":"Review of main","messages":[{"role":"user","content":{"type":"text","text":"Review it."}}]}}
            {"jsonrpc":"2.0","id":3,"result":{"messages":[{"role":"user","content":{"type":"text","text":"Review it."}}]}}
        "#]],
    );
}

#[test]
fn a_block_of_a_message_has_the_form_of_its_revision() {
    let mut image = Image::png(b"x");
    image.annotations =
        Some(Annotations::default().audience([Role::User]).last_modified("2026-01-01T00:00:00Z"));
    let picture = Prompt::new("picture", "", [], async move |_, _| Content::from(image));
    let registry = ToolRegistry::builder("toy").version("1").prompts([picture]).build().unwrap();
    check_in(
        World::serving(registry, Arc::new(Toys::default())),
        r#"legacy 1 initialize {"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           legacy 2 prompts/get {"name":"picture"}
           modern 3 prompts/get {"name":"picture"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true},"prompts":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"result":{"messages":[{"role":"user","content":{"type":"image","data":"eA==","mimeType":"image/png","annotations":{"audience":["user"]}}}]}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","messages":[{"role":"user","content":{"type":"image","data":"eA==","mimeType":"image/png","annotations":{"audience":["user"],"lastModified":"2026-01-01T00:00:00Z"}}}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_server_without_prompts_has_no_such_method() {
    check_in(
        World::new(),
        "legacy 1 prompts/list\nmodern 2 prompts/get {\"name\":\"a\"}",
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found: prompts/list"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found: prompts/get"}}
        "#]],
    );
}

#[test]
fn prompts_change_while_sessions_run() {
    let registry = ToolRegistry::builder("toy").version("1").prompts([]).build().unwrap();
    let mut world = World::serving(registry.clone(), Arc::new(Toys::default()));
    world.play(
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
           note notifications/initialized
           modern 2 subscriptions/listen {"notifications":{"promptsListChanged":true,"resourcesListChanged":true}}"#,
    );
    let late = || Prompt::new("late", "", [], async |_, _| "Hello");
    registry.add_prompt(late()).unwrap();
    expect![[r#"
        {"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}
        {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}"#]].assert_eq(&world.judged().join("\n"));
    let twice = registry.add_prompt(late()).unwrap_err();
    assert_eq!(twice.complaints(), ["prompt `late`: there is one of that name already"]);
    let wrong = registry.add_prompt(late().with_name("a b")).unwrap_err();
    expect!["prompt `a b`: its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_` and `-`"]
        .assert_eq(&wrong.to_string());
    let argument = PromptArgument::required("a", "");
    let twice = Prompt::new("p", "", [argument.clone(), argument], async |_, _| "Hello");
    let wrong = registry.add_prompt(twice.complete("b", async |_, _| ["c"])).unwrap_err();
    expect![[r#"
        prompt `p`: there is more than one argument `a`
        prompt `p`: `b` is completed, and is no argument of it"#]]
    .assert_eq(&wrong.to_string());
    assert_eq!(world.judged(), [""; 0]);
    assert_eq!(registry.prompts().len(), 1);
    assert!(registry.remove_prompt("late") && !registry.remove_prompt("late"));
    assert_eq!(world.judged().len(), 2);
    let without = ToolRegistry::builder("toy").build().unwrap();
    let refused = without.add_prompt(late()).unwrap_err();
    expect!["the registry was built without prompts: call `.prompts([])` on its builder"]
        .assert_eq(&refused.to_string());
}

#[test]
fn a_prompt_is_described_by_what_it_was_given() {
    let arguments = [PromptArgument::required("a", "b")];
    let prompt = Prompt::new("p", "About", arguments.clone(), async |_, _| "Hello");
    let prompt = prompt.with_prefix("x_").with_title("T").with_meta("k", json!(1));
    assert_eq!((prompt.name(), prompt.title()), ("x_p", Some("T")));
    assert_eq!((prompt.description(), prompt.arguments()), ("About", &arguments[..]));
    assert_eq!(prompt.with_description("Of today").description(), "Of today");
}
