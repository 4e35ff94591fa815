//! Tests of an agent without a model: what it allows, what it does, and an API that is overloaded.
//! Run them with `cargo test --example 25_testing_an_agent`.

use toolwright::agent::{AgentOptions, Error, Permission, PermissionRequest};
use toolwright::agent::{Transport, query_with, transport::Process};
use toolwright::{ToolRegistry, tool, tools};

/// Pay a bill.
#[tool]
async fn pay(euros: u32) -> String {
    format!("{euros} euros are paid.")
}

/// Up to 100 euros are paid.
fn decide(request: &PermissionRequest) -> Permission {
    match request.input.to_value()["euros"].as_u64() {
        Some(euros) if euros <= 100 => Permission::allow(),
        _ => Permission::deny("ask the owner"),
    }
}

async fn run(cli: impl Transport + 'static, prompt: &str) -> Result<String, Error> {
    let bank = ToolRegistry::builder("bank").tools(tools![pay]).build().expect("it is well");
    let decide = async |request| decide(&request);
    let options = AgentOptions::builder().mcp_server(bank).can_use_tool(decide).build()?;
    Ok(query_with(cli, prompt, options).await?.finish().await?.text().into_owned())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    println!("{}", run(Process::new(), "Pay my bills.").await?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright::json;
    use toolwright::testing::{Reply, ScriptedCli};

    #[tokio::test]
    async fn small_bills_are_paid_and_others_are_not() -> Result<(), Error> {
        let cli = ScriptedCli::new().turn(|t| {
            let bills = [30, 300].map(|euros| ("mcp__bank__pay", json!({"euros": euros})));
            t.call_all(bills).say("One of two.")
        });
        let seen = cli.seen();
        assert_eq!(run(cli, "Pay my bills.").await?, "One of two.");
        assert_eq!(seen.calls()[0].text, "30 euros are paid.");
        assert_eq!(seen.calls()[1].text, "ask the owner");
        Ok(())
    }
    #[tokio::test]
    async fn an_overloaded_api_is_asked_again() -> Result<(), Error> {
        let overloaded = Reply::error(529, "overloaded_error", "Overloaded");
        let cli = ScriptedCli::new().turn(|t| t.reply(overloaded).say("Here I am."));
        assert_eq!(run(cli, "Hello?").await?, "Here I am.");
        Ok(())
    }
}
