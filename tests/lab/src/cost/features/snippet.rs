/// What a user of a feature writes: the body of `main`, in which `calc` is the builder of a
/// registry, and `add` a tool.
pub struct Snippet {
    /// Of `toolwright`; empty for a program without one.
    pub feature: &'static str,
    /// Dependencies besides ours and tokio.
    pub needs: &'static str,
    pub code: &'static str,
}

impl Snippet {
    /// The source of its program.
    pub fn source(&self) -> String {
        let code: String = self.code.lines().map(|line| format!("    {line}\n")).collect();
        format!("{HEAD}{code}    Ok(())\n}}\n")
    }

    /// The packages of ours that its program uses.
    pub fn packages(&self) -> &'static [&'static str] {
        match self.code.contains("toolwright_stdio::") {
            true => &["toolwright", "toolwright-stdio"],
            false => &["toolwright"],
        }
    }
}

const HEAD: &str = r#"use std::error::Error;

use toolwright::{ToolRegistry, tool};

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let calc = ToolRegistry::builder("calc");
"#;

/// The one without a feature is first. What needs no host of its own is served on standard input.
pub const SNIPPETS: [Snippet; 19] = [
    Snippet {
        feature: "",
        needs: "",
        code: r#"let calc = calc.tools(toolwright::tools![add]).build()?;
toolwright_stdio::serve(calc).await?;"#,
    },
    Snippet {
        feature: "agent",
        needs: "",
        code: r#"use toolwright::agent::{AgentOptions, Message, query};
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = AgentOptions::builder().mcp_server(calc).allowed_tools(["mcp__calc__add"]);
let mut run = query("What is 2 + 40?", options.build()?).await?;
while let Some(message) = run.next().await {
    if let Message::Assistant(message) = message? {
        println!("{}", message.text());
    }
}"#,
    },
    Snippet {
        feature: "chrono",
        needs: r#"chrono = { version = "0.4", default-features = false, features = ["serde"] }"#,
        code: r#"/// Say which day it is.
#[tool]
async fn day(at: chrono::DateTime<chrono::Utc>) -> String {
    at.date_naive().to_string()
}
let calc = calc.tools(toolwright::tools![add, day]).build()?;
toolwright_stdio::serve(calc).await?;"#,
    },
    Snippet {
        feature: "collect",
        needs: "",
        code: r#"let calc = calc.collect().build()?;
toolwright_stdio::serve(calc).await?;"#,
    },
    Snippet {
        feature: "host",
        needs: "",
        code: r#"use std::io::{Write, stdin, stdout};
use toolwright::host::{Limits, Received, Runner, Shell};
use toolwright::mcp::{Host, Outbox};
struct Stdout;
impl Shell for Stdout {
    fn said(&self, outbox: &mut Outbox) {
        let _ = stdout().write_all(&outbox.take(Vec::new()));
    }
}
let calc = calc.tools(toolwright::tools![add]).build()?;
let runner = Runner::new(&calc, Host::InProcess, Outbox::new(), Stdout, Limits::default());
for line in stdin().lines() {
    match runner.receive(line?.as_bytes()) {
        Received::Call(call) => runner.run(call),
        Received::Batch(batch) => batch.calls.into_iter().for_each(|call| runner.run(call)),
        _ => {}
    }
}
runner.idle().await;
runner.close();"#,
    },
    Snippet {
        feature: "http",
        needs: "",
        code: r#"use toolwright::http::{Options, serve};
let calc = calc.tools(toolwright::tools![add]).build()?;
let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
serve(listener, calc, Options::default()).await?;"#,
    },
    Snippet {
        feature: "jwt",
        needs: "",
        code: r#"use toolwright::http::{Auth, Jwt, Options, serve};
const SERVER: &str = "https://calc.example.com/mcp";
const ISSUER: &str = "https://login.example.com";
let keys = || async { std::fs::read_to_string("jwks.json") };
let auth = Auth::new(SERVER, Jwt::new(ISSUER, SERVER, keys))?;
let mut options = Options::default();
options.auth = Some(auth.authorization_server(ISSUER));
let calc = calc.tools(toolwright::tools![add]).build()?;
let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
serve(listener, calc, options).await?;"#,
    },
    Snippet {
        feature: "object-store",
        needs: r#"object_store = { version = "0.14", default-features = false }"#,
        code: r#"use std::sync::Arc;
use toolwright::agent::sessions::BucketStore;
use toolwright::agent::{AgentOptions, query};
let bucket = object_store::memory::InMemory::new();
let store = Arc::new(BucketStore::of(Arc::new(bucket), "sessions"));
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = AgentOptions::builder().session_store(store).mcp_server(calc).build()?;
println!("{}", query("What is 2 + 40?", options).await?.finish().await?.text());"#,
    },
    Snippet {
        feature: "postgres-store",
        needs: "",
        code: r#"use std::sync::Arc;
use toolwright::agent::sessions::PostgresStore;
use toolwright::agent::{AgentOptions, query};
let store = PostgresStore::without_tls("host=localhost user=agents dbname=agents");
store.create_tables().await?;
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = AgentOptions::builder().session_store(Arc::new(store)).mcp_server(calc).build()?;
println!("{}", query("What is 2 + 40?", options).await?.finish().await?.text());"#,
    },
    Snippet {
        feature: "redis",
        needs: "",
        code: r#"use std::sync::Arc;
use toolwright::http::{Options, RedisBus, serve};
let mut options = Options::default();
options.bus = Some(Arc::new(RedisBus::open("redis://127.0.0.1:6379", "calc")?));
let calc = calc.tools(toolwright::tools![add]).build()?;
let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
serve(listener, calc, options).await?;"#,
    },
    Snippet {
        feature: "redis-store",
        needs: "",
        code: r#"use std::sync::Arc;
use toolwright::agent::sessions::RedisStore;
use toolwright::agent::{AgentOptions, query};
let store = Arc::new(RedisStore::open("redis://127.0.0.1:6379", "calc")?);
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = AgentOptions::builder().session_store(store).mcp_server(calc).build()?;
println!("{}", query("What is 2 + 40?", options).await?.finish().await?.text());"#,
    },
    Snippet {
        feature: "scripted-model",
        needs: "",
        code: r#"use toolwright::json;
use toolwright::testing::{ScriptedModel, TestClient};
let calc = calc.tools(toolwright::tools![add]).build()?;
let sum = TestClient::in_memory(&calc)?.call("add", json!({"a": 2, "b": 40}))?.to_text();
let model = ScriptedModel::start().await?;
model.say(&format!("It is {sum}."));
let mut claude = std::process::Command::new("claude");
claude.args(["-p", "What is 2 + 40?"]).env_clear().envs(model.environment());
println!("{}", claude.status()?);"#,
    },
    Snippet {
        feature: "sealed-state",
        needs: "",
        code: r#"use toolwright::http::{Options, StateKey, serve};
use toolwright::{AskError, Context};
/// Forget everything.
#[tool(read_only = false)]
async fn forget(cx: &Context) -> Result<bool, AskError> {
    cx.confirm("Forget everything?").await
}
let mut options = Options::default();
options.state_key = Some(StateKey::new([7; 32]));
let calc = calc.tools(toolwright::tools![add, forget]).build()?;
let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
serve(listener, calc, options).await?;"#,
    },
    Snippet {
        feature: "sessions",
        needs: "",
        code: r#"use toolwright::agent::sessions::Sessions;
use toolwright::agent::{AgentOptions, query};
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = AgentOptions::builder().mcp_server(calc).build()?;
println!("{}", query("What is 2 + 40?", options).await?.finish().await?.text());
for session in Sessions::of_user()?.list_sessions(..)? {
    println!("{}", session.summary);
}"#,
    },
    Snippet {
        feature: "testing",
        needs: "",
        code: r#"use toolwright::json;
use toolwright::testing::TestClient;
let calc = calc.tools(toolwright::tools![add]).build()?;
let mut client = TestClient::in_memory(&calc)?;
assert_eq!(client.call_as::<f64>("add", json!({"a": 2, "b": 40}))?, 42.0);
assert!(client.expect_error("add", json!({"a": "two", "b": 40}))?.contains("expected number"));"#,
    },
    Snippet {
        feature: "url",
        needs: r#"url = { version = "2", features = ["serde"] }"#,
        code: r#"/// Say whose page this is.
#[tool]
async fn host(page: url::Url) -> Option<String> {
    page.host_str().map(str::to_owned)
}
let calc = calc.tools(toolwright::tools![add, host]).build()?;
toolwright_stdio::serve(calc).await?;"#,
    },
    Snippet {
        feature: "uuid",
        needs: r#"uuid = { version = "1", features = ["serde"] }"#,
        code: r#"/// Say which version an id has.
#[tool]
async fn version(id: uuid::Uuid) -> usize {
    id.get_version_num()
}
let calc = calc.tools(toolwright::tools![add, version]).build()?;
toolwright_stdio::serve(calc).await?;"#,
    },
    Snippet {
        feature: "view",
        needs: "",
        code: r#"use toolwright::agent::view::Terminal;
use toolwright::agent::{AgentOptions, query};
let mut terminal = Terminal::stdout();
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = terminal.attach(AgentOptions::builder().mcp_server(calc)).build()?;
terminal.watch(query("What is 2 + 40?", options).await?).await?;"#,
    },
    Snippet {
        feature: "view-web",
        needs: "",
        code: r#"use toolwright::agent::{AgentOptions, query, view};
let mut page = view::serve(0).await?;
println!("watch it at {}", page.url());
let calc = calc.tools(toolwright::tools![add]).build()?;
let options = page.attach(AgentOptions::builder().mcp_server(calc)).build()?;
let run = query("What is 2 + 40?", options).await?;
let handle = run.handle();
page.watch(run, handle).await?;"#,
    },
];
