//! `#[prompt]` and `#[resource]`, on functions and methods.

use std::sync::{Arc, Weak};

use expect_test::expect;
use toolwright::mcp::{Host, Outbox, Session, Started, Step};
use toolwright::{
    Completing, Context, Json, PromptMessage, State, ToolRegistry, Value, data, json, prompt,
    prompts, resource, resources, toolset,
};

use super::{Nobody, now, read};

/// Sends a request and returns the answer, or the error.
fn ask(registry: &ToolRegistry, method: &str, params: Value) -> Value {
    let mut session = Session::new(registry, Host::InProcess, Weak::<Nobody>::new());
    let mut outbox = Outbox::new();
    let line = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
    if let Step::Call(call) = session.receive(line.as_bytes(), &mut outbox) {
        let done = match call.start() {
            Started::Run(run) => now(run),
            Started::Done(done) => done,
            started => panic!("{started:?}"),
        };
        session.finish(done, &mut outbox);
    }
    let answer: Value = read(std::str::from_utf8(&outbox.take(Vec::new())).unwrap());
    let [result, error] = ["result", "error"].map(|name| answer.get(name).cloned());
    result.or(error).unwrap()
}

#[data]
#[derive(Debug)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Strict,
}

async fn branches(typed: &str, at: &Completing) -> Vec<&'static str> {
    let all = if at.argument("repository") == Some("docs") { ["drafts"] } else { ["main"] };
    all.into_iter().filter(|name| name.starts_with(typed)).collect()
}

fn repositories<'a>(typed: &'a str, _: &Completing) -> impl Iterator<Item = &'a str> {
    std::iter::once(typed).filter(|typed| *typed == "docs")
}

/// Review a branch.
///
/// With care.
#[prompt(title = "Review", icon = "https://example.com/i.png", meta("k" = [1]))]
async fn review(
    #[arg(complete = repositories)] repository: &str,
    /// The branch to review.
    #[arg(complete = branches, title = "Branch")]
    branch: String,
    #[arg(min = 1, max = 9)] depth: Option<u8>,
    tone: Option<Tone>,
    #[arg(default = false)] draft: bool,
    labels: Option<Vec<String>>,
    cx: &Context,
) -> Vec<PromptMessage> {
    assert!(cx.request_id().is_some());
    vec![
        PromptMessage::user(format!("{repository} {branch} {depth:?} {tone:?} {draft} {labels:?}")),
        PromptMessage::assistant("Yes."),
    ]
}

#[data]
#[derive(Debug)]
enum When {
    Now,
    In(u32),
}

#[prompt]
fn remind(when: When) -> String {
    format!("{when:?}")
}

#[prompt(name = "other-name", inline)]
fn fails(r#type: &str) -> std::io::Result<String> {
    Err(std::io::Error::other(format!("no {}", r#type)))
}

#[derive(Debug)]
struct Greeting {
    text: &'static str,
}

const CHANGED: &str = "2026-01-01T00:00:00Z";

/// The settings.
#[resource(
    "settings://all",
    mime = "text/plain",
    size = 5,
    ttl = "2h",
    cache_scope = "public",
    audience = ["user"],
    priority = 0.5
)]
fn settings(greeting: State<Greeting>) -> &'static str {
    greeting.text
}

/// A note.
#[resource(
    "notes://{id}{?line}",
    mime = "text/markdown",
    title = "Note",
    audience = ["user", "assistant"],
    priority = 1,
    last_modified = CHANGED
)]
async fn note(id: u64, #[arg(complete = branches)] line: Option<u32>) -> Option<String> {
    (id == 7).then(|| format!("{id} {line:?}"))
}

#[resource("files://{+file_path}", ttl = "500ms", name = "A file", priority = 0)]
async fn file(
    #[arg(rename = "file_path")] path_of_file: &str,
) -> Result<Json<Vec<&'static str>>, String> {
    if path_of_file == "a/b" {
        Ok(Json(vec!["c"]))
    } else {
        Err(format!("{path_of_file} is locked"))
    }
}

fn registry() -> ToolRegistry {
    let registry = ToolRegistry::builder("all").state(Greeting { text: "Hello" });
    let registry = registry.prompts(prompts![review, fails]);
    registry.resources(resources![settings, note, file]).build().unwrap()
}

#[test]
fn prompts_are_listed_and_called() {
    let registry = registry();
    expect![[r#"{"prompts":[{"name":"review","title":"Review","description":"Review a branch.\n\nWith care.","arguments":[{"name":"repository","required":true},{"name":"branch","title":"Branch","description":"The branch to review.","required":true},{"name":"depth","required":false},{"name":"tone","required":false},{"name":"draft","required":false},{"name":"labels","required":false}],"icons":[{"src":"https://example.com/i.png"}],"_meta":{"k":[1]}},{"name":"other-name","arguments":[{"name":"type","required":true}]}]}"#]].assert_eq(&ask(&registry, "prompts/list", json!({})).to_string());
    let get = |name: &str, arguments: Value| {
        ask(&registry, "prompts/get", json!({"name": name, "arguments": arguments}))
    };
    let all = json!({
        "repository": "r", "branch": "7", "depth": "3", "tone": "strict", "draft": "true",
        "labels": "[\"a\"]", "unknown": "x"
    });
    expect![[r#"{"description":"Review a branch.\n\nWith care.","messages":[{"role":"user","content":{"type":"text","text":"r 7 Some(3) Some(Strict) true Some([\"a\"])"}},{"role":"assistant","content":{"type":"text","text":"Yes."}}]}"#]].assert_eq(&get("review", all).to_string());
    let few = json!({"repository": "r", "branch": "b"});
    expect![[r#"{"description":"Review a branch.\n\nWith care.","messages":[{"role":"user","content":{"type":"text","text":"r b None None false None"}},{"role":"assistant","content":{"type":"text","text":"Yes."}}]}"#]].assert_eq(&get("review", few).to_string());
    let wrong = json!({"repository": "r", "depth": "10", "tone": "loud", "draft": "maybe"});
    expect![[r#"
        Invalid arguments for `review`:
        - /depth: expected 1 to 9, got 10
        - /tone: expected one of "kind", "strict", got string "loud"
        - /draft: expected boolean, got string "maybe"
        - /branch: missing, expected string"#]]
    .assert_eq(get("review", wrong)["message"].as_str().unwrap());
    expect![[r#"{"code":-32603,"message":"no t"}"#]]
        .assert_eq(&get("other-name", json!({"type": "t"})).to_string());
}

#[test]
fn an_argument_is_a_name_or_json() {
    let registry = ToolRegistry::builder("all").prompts(prompts![remind]).build().unwrap();
    let remind = |when: &str| {
        let params = json!({"name": "remind", "arguments": {"when": when}});
        ask(&registry, "prompts/get", params)["messages"][0]["content"]["text"].clone()
    };
    assert_eq!([remind("Now"), remind(r#"{"In":5}"#)], ["Now", "In(5)"]);
}

#[test]
fn resources_are_listed_and_read() {
    let registry = registry();
    for list in ["resources/list", "resources/templates/list"] {
        let listed = ask(&registry, list, json!({})).to_string();
        match list {
            "resources/list" => expect![[r#"{"resources":[{"uri":"settings://all","name":"settings","description":"The settings.","mimeType":"text/plain","size":5,"annotations":{"audience":["user"],"priority":0.5}}]}"#]].assert_eq(&listed),
            _ => expect![[r#"{"resourceTemplates":[{"uriTemplate":"notes://{id}{?line}","name":"note","title":"Note","description":"A note.","mimeType":"text/markdown","annotations":{"audience":["user","assistant"],"priority":1.0,"lastModified":"2026-01-01T00:00:00Z"}},{"uriTemplate":"files://{+file_path}","name":"A file","annotations":{"priority":0.0}}]}"#]].assert_eq(&listed),
        }
    }
    let read = |uri: &str| ask(&registry, "resources/read", json!({"uri": uri})).to_string();
    let uris = [
        "settings://all",
        "notes://7",
        "notes://7?line=3",
        "notes://8",
        "notes://x",
        "files://a/b",
        "files://c",
        "files://../c",
    ];
    let mut said = String::new();
    for uri in uris {
        said += &format!("{}\n", read(uri));
    }
    expect![[r#"
        {"contents":[{"uri":"settings://all","mimeType":"text/plain","text":"Hello"}]}
        {"contents":[{"uri":"notes://7","mimeType":"text/markdown","text":"7 None"}]}
        {"contents":[{"uri":"notes://7?line=3","mimeType":"text/markdown","text":"7 Some(3)"}]}
        {"code":-32002,"message":"Resource not found: notes://8","data":{"uri":"notes://8"}}
        {"code":-32602,"message":"Invalid arguments for `note`:\n- /id: expected integer, got string \"x\""}
        {"contents":[{"uri":"files://a/b","mimeType":"application/json","text":"[\"c\"]"}]}
        {"code":-32603,"message":"c is locked"}
        {"code":-32002,"message":"Resource not found: files://../c","data":{"uri":"files://../c"}}
    "#]].assert_eq(&said);
}

#[test]
fn resources_say_for_how_long_they_may_be_used() {
    let desk = ToolRegistry::builder("desk").toolset(Desk { notes: Vec::new() }).build().unwrap();
    let registry = registry();
    let hints = |registry: &ToolRegistry, uri: &str| {
        let mut params = json!({"uri": uri, "_meta": {}});
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let read = ask(registry, "resources/read", params);
        json!([read["ttlMs"], read["cacheScope"]])
    };
    assert_eq!(hints(&registry, "settings://all"), json!([7_200_000, "public"]));
    assert_eq!(hints(&registry, "files://a/b"), json!([500, "private"]));
    assert_eq!(hints(&registry, "notes://7"), json!([0, "private"]));
    assert_eq!(hints(&desk, "desk://all"), json!([0, "public"]));
}

#[test]
fn arguments_complete() {
    let registry = registry();
    let complete = |reference: Value, name: &str, value: &str| {
        let argument = json!({"name": name, "value": value});
        let context = json!({"arguments": {"repository": "docs"}});
        let params = json!({"ref": reference, "argument": argument, "context": context});
        ask(&registry, "completion/complete", params)["completion"]["values"].to_string()
    };
    let review = json!({"type": "ref/prompt", "name": "review"});
    assert_eq!(complete(review.clone(), "repository", "docs"), r#"["docs"]"#);
    assert_eq!(complete(review.clone(), "repository", "d"), "[]");
    assert_eq!(complete(review.clone(), "branch", "d"), r#"["drafts"]"#);
    assert_eq!(complete(review.clone(), "tone", "s"), r#"["strict"]"#);
    assert_eq!(complete(review.clone(), "draft", ""), r#"["true","false"]"#);
    assert_eq!(complete(review, "depth", ""), "[]");
    let note = json!({"type": "ref/resource", "uri": "notes://{id}{?line}"});
    assert_eq!(complete(note, "line", ""), r#"["drafts"]"#);
}

fn typed(typed: &str, _: &Completing) -> [String; 1] {
    [format!("{typed}!")]
}

fn at(_: &str, at: &Completing) -> Option<String> {
    at.argument("first").map(str::to_owned)
}

macro_rules! completed {
    ($name:ident, $complete:ident) => {
        #[prompt]
        fn $name(
            #[arg(complete = $complete)] first: &str,
            #[arg(complete = at)] second: &str,
        ) -> String {
            format!("{first} {second}")
        }
    };
}

completed!(pair, typed);

#[test]
fn what_completes_has_any_name_and_comes_from_anywhere() {
    let registry = ToolRegistry::builder("pairs").prompts(prompts![pair]).build().unwrap();
    let complete = |name: &str| {
        let argument = json!({"name": name, "value": "a"});
        let context = json!({"arguments": {"first": "b"}});
        let reference = json!({"type": "ref/prompt", "name": "pair"});
        let params = json!({"ref": reference, "argument": argument, "context": context});
        ask(&registry, "completion/complete", params)["completion"]["values"].to_string()
    };
    assert_eq!((complete("first"), complete("second")), (r#"["a!"]"#.into(), r#"["b"]"#.into()));
}

struct Desk {
    notes: Vec<String>,
}

#[toolset(prefix = "desk_")]
impl Desk {
    async fn ids(&self, typed: &str, _: &Completing) -> Vec<String> {
        let ids = (0..self.notes.len()).map(|id| id.to_string());
        ids.filter(|id| id.starts_with(typed)).collect()
    }

    fn first_ids(&self, typed: &str, at: &Completing) -> Vec<String> {
        now(self.ids(typed, at)).into_iter().take(1).collect()
    }

    /// Count the notes.
    #[tool(read_only)]
    fn count(&self) -> usize {
        self.notes.len()
    }

    /// Talk about a note.
    #[prompt]
    async fn talk(
        &self,
        #[arg(complete = Self::ids)] id: usize,
        #[arg(complete = branches)] _branch: Option<String>,
    ) -> String {
        format!("What do you think of {:?}?", self.notes.get(id))
    }

    #[resource("desk://{id}")]
    fn note(self: Arc<Self>, #[arg(complete = Self::first_ids)] id: usize) -> Option<String> {
        self.notes.get(id).cloned()
    }

    #[resource("desk://all", cache_scope = "public")]
    fn all(&self) -> String {
        self.notes.join("\n")
    }
}

#[test]
fn methods_are_tools_prompts_and_resources() {
    let desk = Desk { notes: vec!["Buy milk".into(), "Call Ann".into()] };
    let registry = ToolRegistry::builder("desk").toolset(desk).build().unwrap();
    assert_eq!(now(registry.call("desk_count", json!({}))).unwrap().to_text(), "2");
    let got = ask(&registry, "prompts/get", json!({"name": "desk_talk", "arguments": {"id": "1"}}));
    assert_eq!(got["messages"][0]["content"]["text"], r#"What do you think of Some("Call Ann")?"#);
    let read = |uri: &str| {
        ask(&registry, "resources/read", json!({"uri": uri}))["contents"][0]["text"].clone()
    };
    assert_eq!(read("desk://0"), "Buy milk");
    assert_eq!(read("desk://all"), "Buy milk\nCall Ann");
    let talk = json!({"type": "ref/prompt", "name": "desk_talk"});
    for (reference, name, values) in [
        (talk.clone(), "id", json!(["0", "1"])),
        (talk, "branch", json!(["main"])),
        (json!({"type": "ref/resource", "uri": "desk://{id}"}), "id", json!(["0"])),
    ] {
        let params = json!({"ref": reference, "argument": {"name": name, "value": ""}});
        let completed = ask(&registry, "completion/complete", params);
        assert_eq!(completed["completion"]["values"], values);
    }
}

#[test]
fn the_function_stays_a_function() {
    assert_eq!(fails("x").unwrap_err().to_string(), "no x");
    assert_eq!(fails::prompt().name(), "other-name");
    assert_eq!(settings::resource().uri(), "settings://all");
    let prompt = review::prompt();
    assert_eq!((prompt.title(), prompt.arguments().len()), (Some("Review"), 6));
    assert!(note::resource().is_template() && note::resource().has("notes://9"));
}
