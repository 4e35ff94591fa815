//! The mixed calls of the endurance run, on a registry in this process.

use std::io::ErrorKind;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};
use toolwright::testing::TestClient;
use toolwright::{AskError, Context, ToolRegistry, tool, tools};
use toolwright_lab_mix::{Book, Mix, deciles};

use crate::reports::{lives, report};

const WINDOW: usize = 128;

/// How many answers there are between two signs of life.
const SIGN: usize = 1_000;

/// Makes the calls, a tenth of them before each report but the first, which follows calls that only
/// fill what is bounded.
pub fn run(seed: u64, calls: u64) -> Result<()> {
    // A panic that is asked for is not worth a line.
    std::panic::set_hook(Box::new(|panic| {
        if panic.payload_as_str() != Some(PANIC) {
            eprintln!("{panic}");
        }
    }));
    let tools = tools![
        add,
        spin,
        fail,
        panic,
        sleep_ms,
        quick_timeout,
        echo,
        test_input_required_result_elicitation
    ];
    let registry = ToolRegistry::builder("mix").tools(tools).build()?;
    let mut client = TestClient::in_memory(&registry)?.timeout(Duration::from_secs(60));
    let mut book = Book::new(Mix { seed }, WINDOW);
    for (_, count) in deciles(calls) {
        book.extend(count);
        exchange(&mut client, &mut book)?;
        report(&json!({"calls": book.counts.calls, "refused": book.refused()}))?;
    }
    client.close()?;
    Ok(())
}

fn exchange(client: &mut TestClient, book: &mut Book) -> Result<()> {
    let (mut out, mut answers) = (Vec::new(), 0);
    while !book.is_done() {
        book.send(&mut out);
        for line in std::str::from_utf8(&out)?.lines() {
            client.send_line(line)?;
        }
        out.clear();
        let answer: Value = match client.receive() {
            Ok(answer) => answer.context("the server has ended")?,
            Err(error) if error.kind() == ErrorKind::TimedOut => {
                bail!("no answer for a minute; these calls are open: {:?}", book.waiting())
            }
            Err(error) => return Err(error.into()),
        };
        book.take(answer.to_string().as_bytes(), &mut out)?;
        answers += 1;
        if answers % SIGN == 0 {
            lives()?;
        }
    }
    Ok(())
}

const PANIC: &str = "a panic that was asked for";

/// Add two numbers.
#[tool(read_only)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Burn CPU in a plain function.
#[tool(read_only)]
fn spin(ms: u64) -> &'static str {
    let _ = ms;
    "ok"
}

/// Fail with a message.
#[tool(read_only)]
async fn fail(message: String) -> Result<(), String> {
    Err(message)
}

/// Panic.
#[tool(read_only)]
async fn panic() {
    std::panic::panic_any(PANIC)
}

/// Sleep.
#[tool(read_only)]
async fn sleep_ms(ms: u64) -> &'static str {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    "ok"
}

/// Take longer than it may.
#[tool(read_only, timeout = "50ms")]
async fn quick_timeout() {
    std::future::pending::<()>().await;
}

/// Say the same.
#[tool(read_only)]
async fn echo(text: String) -> String {
    text
}

/// Greet the user by name.
#[tool(read_only)]
async fn test_input_required_result_elicitation(cx: &Context) -> Result<String, AskError> {
    let form =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let answer = cx.elicit_schema("What is your name?", form).key("user_name").await?.accepted()?;
    Ok(format!("Hello, {}!", answer["name"].as_str().unwrap_or_default()))
}
