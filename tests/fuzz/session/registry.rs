//! The server of the sessions. Some of its functions ask their client, in each way that there is.

use std::sync::OnceLock;

use futures_util::future::{join, select};
use toolwright::testing::TestClient;
use toolwright::{
    AskError, Completing, Context, LoggingLevel, ToolRegistry, Value, data, prompt, prompts,
    resource, resources, tool, tools,
};

/// The names of its tools.
pub(super) const TOOLS: [&str; 14] = [
    "add",
    "text",
    "any",
    "send",
    "wait",
    "falls",
    "nothing",
    "get_weather",
    "ship",
    "folders",
    "slogan",
    "both",
    "either",
    "build",
];
pub(super) const PROMPTS: [&str; 2] = ["code_review", "survey"];
/// The URIs of what can be read without a question.
pub(super) const RESOURCES: [&str; 3] =
    ["file:///project/src/main.rs", "file:///project/config.json", "notes://ships"];
pub(super) const TEMPLATE: &str = "notes://{title}";
/// The schemes of all its URIs; no resource has another one.
pub(super) const SCHEMES: [&str; 3] = ["file:", "notes:", "ask:"];

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn text(text: &str) -> String {
    text.to_owned()
}

#[tool]
async fn any(value: Value) -> String {
    value.to_string()
}

#[tool]
async fn wait() {
    std::future::pending::<()>().await;
}

#[tool]
async fn falls() {
    std::panic::resume_unwind(Box::new("a bug"));
}

#[tool(inline)]
fn nothing() {}

/// That of the specification's example.
#[tool]
async fn get_weather(location: &str) -> String {
    format!("It rains in {location}.")
}

#[data]
struct Address {
    #[schemars(length(min = 2))]
    city: String,
    express: Option<bool>,
    #[schemars(range(min = 1, max = 9))]
    parcels: Option<u8>,
}

/// Passes over what its type does not know.
#[tool]
async fn send(to: Address) -> String {
    format!("{} {:?} {:?}", to.city, to.express, to.parcels)
}

/// Asks for a form, which it may ask for twice, and then for a yes.
#[tool]
async fn ship(cx: &Context) -> Result<String, AskError> {
    cx.progress(0.1, "asks");
    let to = cx.elicit::<Address>("Where to?").await?.accepted()?;
    cx.log(LoggingLevel::Info, &to.city);
    cx.progress(0.5, "asks again");
    let label = cx.once("label", async { Ok::<_, AskError>(7) }).await?;
    let agrees = cx.confirm("Sure?").await?;
    Ok(format!("{} {:?} {:?} {label} {agrees}", to.city, to.express, to.parcels))
}

#[tool]
async fn folders(cx: &Context) -> Result<String, AskError> {
    let roots = cx.roots().await?;
    Ok(roots.iter().map(|root| &*root.uri).collect())
}

/// Its model may call a tool.
#[tool]
async fn slogan(cx: &Context) -> Result<String, AskError> {
    let sampled = cx.sample("A slogan").tools(inner()).max_turns(2).await?;
    Ok(sampled.text())
}

/// Asks two questions at once.
#[tool]
async fn both(cx: &Context) -> Result<String, AskError> {
    let (roots, agrees) = join(cx.roots().into_future(), cx.confirm("Sure?").into_future()).await;
    Ok(format!("{} {}", roots?.len(), agrees?))
}

/// The first answer to two questions withdraws the other one.
#[tool]
async fn either(cx: &Context) -> &'static str {
    let first = select(cx.sample("Say it.").into_future(), cx.confirm("Sure?").into_future());
    drop(first.await);
    "done"
}

#[tool(task)]
async fn build() -> &'static str {
    "built"
}

fn languages(typed: &str, _: &Completing) -> Vec<&'static str> {
    ["python", "pytorch", "rust"].into_iter().filter(|name| name.starts_with(typed)).collect()
}

async fn titles(typed: &str, at: &Completing) -> Vec<String> {
    vec![typed.to_owned(), at.argument("a").unwrap_or_default().to_owned()]
}

/// That of the specification's example.
#[prompt]
async fn code_review(code: &str, #[arg(complete = languages)] language: Option<&str>) -> String {
    format!("Review {code} in {language:?}.")
}

#[prompt]
async fn survey(cx: &Context) -> Result<String, AskError> {
    Ok(cx.elicit::<Address>("Where are you?").await?.accepted()?.city)
}

#[resource("file:///project/src/main.rs")]
async fn source() -> &'static str {
    "fn main() {}"
}

#[resource("file:///project/config.json", mime = "application/json")]
async fn config() -> &'static str {
    "{}"
}

#[resource("ask://roots")]
async fn roots(cx: &Context) -> Result<String, AskError> {
    Ok(format!("{:?}", cx.roots().await?))
}

#[resource("notes://{title}")]
async fn note(#[arg(complete = titles)] title: &str) -> String {
    title.to_owned()
}

/// The tools of a model.
fn inner() -> &'static ToolRegistry {
    static INNER: OnceLock<ToolRegistry> = OnceLock::new();
    INNER.get_or_init(|| ToolRegistry::builder("inner").tools(tools![add]).build().unwrap())
}

pub(crate) fn registry() -> &'static ToolRegistry {
    static REGISTRY: OnceLock<ToolRegistry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        let tools = tools![
            add,
            text,
            any,
            send,
            wait,
            falls,
            nothing,
            get_weather,
            ship,
            folders,
            slogan,
            both,
            either,
            build
        ];
        let registry = ToolRegistry::builder("toy")
            .tools(tools)
            .prompts(prompts![code_review, survey])
            .resources(resources![source, config, roots, note])
            .build()
            .unwrap();
        // The first host of a registry gives it a place for tasks, which a session alone does not.
        drop(TestClient::in_memory(&registry).unwrap());
        registry
    })
}
