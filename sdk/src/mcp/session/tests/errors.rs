//! Errors that a function has for the client program: a code, a message and data of its own.

use std::error::Error;
use std::ops::Deref;
use std::sync::Arc;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::{
    Context, ErrorObject, Json, Next, Prompt, Resource, Tool, ToolCall, ToolRegistry, ToolResult,
    prompt, prompts, resource, resources, tool, tools,
};

use super::harness::{World, check_in};
use super::toys::Toys;

type Boxed = Box<dyn Error + Send + Sync>;

/// No `Error` itself, and derefs to one, as `anyhow::Error` does.
struct Anyhow(Boxed);

impl Deref for Anyhow {
    type Target = dyn Error + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl std::fmt::Display for Anyhow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn error() -> ErrorObject {
    ErrorObject::new(-31001, "No account").with_data(json!({"retry": false}))
}

#[tool]
async fn plain() -> Result<Json<u8>, ErrorObject> {
    Err(error())
}

#[tool]
fn boxed() -> Result<(), Boxed> {
    Err(error())?
}

#[tool]
async fn anyhow() -> Result<String, Anyhow> {
    Err(Anyhow(error().into()))
}

#[tool]
async fn whole() -> ToolResult {
    error().into()
}

/// Not the error itself: what a question of the call was answered by, for example.
#[tool]
async fn caused() -> Result<(), Boxed> {
    Err(std::io::Error::other(error()))?
}

#[prompt]
async fn review() -> Result<String, ErrorObject> {
    Err(error())
}

#[resource("notes://{id}")]
async fn note(id: u8) -> Result<Option<String>, Boxed> {
    match id {
        0 => Ok(None),
        _ => Err(error().into()),
    }
}

fn closures() -> ToolRegistry {
    let schema = json!({"type": "object"});
    let plain = Tool::new("plain", "", schema.clone(), async |_: Value, _| Err::<(), _>(error()));
    let boxed =
        Tool::new("boxed", "", schema, async |_: Value, _| Err::<(), Boxed>(error().into()));
    let review = Prompt::new("review", "", [], async |_, _| Err::<String, _>(error()));
    let note =
        Resource::new("notes://1", "note", "", async |_, _| Err::<String, Boxed>(error().into()));
    let registry = ToolRegistry::builder("toy").version("1").tools([plain, boxed]);
    registry.prompts([review]).resources([note]).build().unwrap()
}

fn world(registry: ToolRegistry) -> World {
    World::serving(registry, Arc::new(Toys::default()))
}

#[test]
fn functions_answer_with_an_error_of_their_own() {
    let registry = ToolRegistry::builder("toy").version("1");
    let registry = registry.tools(tools![plain, boxed, anyhow, whole, caused]);
    let registry = registry.prompts(prompts![review]).resources(resources![note]).build().unwrap();
    check_in(
        world(registry),
        r#"legacy 1 tools/call {"name":"plain"}
           modern 2 tools/call {"name":"boxed"}
           legacy 3 tools/call {"name":"anyhow"}
           legacy 4 tools/call {"name":"whole"}
           legacy 5 tools/call {"name":"caused"}
           legacy 6 prompts/get {"name":"review"}
           modern 7 resources/read {"uri":"notes://1"}
           legacy 8 resources/read {"uri":"notes://0"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"No account (-31001)"}],"isError":true}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":7,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":8,"error":{"code":-32002,"message":"Resource not found: notes://0","data":{"uri":"notes://0"}}}
        "#]],
    );
}

#[test]
fn closures_answer_with_an_error_of_their_own() {
    check_in(
        world(closures()),
        r#"legacy 1 tools/call {"name":"plain"}
           legacy 2 tools/call {"name":"boxed"}
           modern 3 prompts/get {"name":"review"}
           legacy 4 resources/read {"uri":"notes://1"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-31001,"message":"No account","data":{"retry":false}}}
        "#]],
    );
}

#[test]
fn layers_pass_an_error_on_and_may_change_it() {
    let pass = async |call: ToolCall, next: Next| {
        let mut result = next.run(call).await;
        assert_eq!(result.error_object().map(|error| error.code), Some(-31001));
        match result.error_object().and_then(|error| error.data.as_ref()) {
            Some(_) => result.content = vec!["[hidden]".into()],
            None => result.is_error = false,
        }
        result
    };
    let quiet = Tool::new("quiet", "", json!({"type": "object"}), async |_: Value, _: Context| {
        Err::<(), _>(ErrorObject::new(-31001, "No account"))
    });
    let registry = ToolRegistry::builder("toy").version("1").tools(tools![plain]).tool(quiet);
    check_in(
        world(registry.layer(pass).build().unwrap()),
        r#"legacy 1 tools/call {"name":"plain"}
           legacy 2 tools/call {"name":"quiet"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-31001,"message":"[hidden]","data":{"retry":false}}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"No account"}]}}
        "#]],
    );
}
