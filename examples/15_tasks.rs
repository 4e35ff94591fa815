//! Calls that take long and go on as tasks: a client that asks for their results later answers a
//! question of one, and cancels another.

use std::error::Error;
use std::time::Duration;

use tokio::time::sleep;
use toolwright::testing::TestClient;
use toolwright::{AskError, Context, ToolRegistry, json, tool, tools};

/// Build a program, and deploy it if the user agrees.
#[tool(task, read_only = false)]
async fn deploy(program: String, cx: &Context) -> Result<String, AskError> {
    cx.progress(0.1, format!("{program} is being built"));
    let build = Build(program);
    sleep(Duration::from_millis(10)).await;
    // A question of a task waits for its answer, and the function goes on then.
    match cx.confirm(format!("Deploy {}?", build.0)).await? {
        true => Ok(format!("{} is deployed", build.0)),
        false => Ok(format!("{} is built", build.0)),
    }
}

/// When the task is cancelled the function's future is dropped, and so is what it owns.
struct Build(String);

impl Drop for Build {
    fn drop(&mut self) {
        println!("the files of {} are removed", self.0);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let registry = ToolRegistry::builder("ci").tools(tools![deploy]).build()?;
    let mut client = TestClient::in_memory(&registry)?.tasks();
    client.on_elicit(|asked| {
        println!("asked: {}", asked.message());
        asked.agree()
    })?;

    let shop = client.task("deploy", json!({"program": "shop"}))?;
    let blog = client.task("deploy", json!({"program": "blog"}))?;
    for report in client.progress()? {
        println!("{:2.0}% {}", 100.0 * report.done, report.message);
    }
    println!("blog: {:?}", blog.wait(&mut client)?);
    blog.cancel(&mut client)?;
    println!("blog: {:?}", blog.status(&mut client)?);
    println!("shop: {:?}", shop.wait(&mut client)?);
    println!("shop: {}", shop.result(&mut client)?.to_text());
    println!("shop: {:?}", shop.status(&mut client)?);
    Ok(())
}
