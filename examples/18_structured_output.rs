//! Asks for an answer of a type, and says what it has cost.
//!
//! Run with `cargo run --example 18_structured_output`.

use std::error::Error;

use toolwright::agent::{AgentOptions, query_with};
use toolwright::testing::ScriptedCli;
use toolwright::{data, json};

/// An order, as a customer has written it.
#[data]
#[derive(Debug)]
struct Order {
    customer: String,
    items: Vec<Item>,
    /// Whether it cannot wait.
    is_urgent: bool,
}

#[data]
#[derive(Debug)]
struct Item {
    name: String,
    #[schemars(range(min = 1))]
    count: u32,
}

const MAIL: &str = "Read this order: We are out of pears! Two crates by tonight, please. Jane Doe";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = AgentOptions::builder().output_type::<Order>().build()?;

    // The model answers by calling a tool whose schema is that of `Order`.
    let items = json!([{"name": "crate of pears", "count": 2}]);
    let order = json!({"customer": "Jane Doe", "items": items, "is_urgent": true});
    let cli = ScriptedCli::new().turn(|t| t.call("StructuredOutput", order));
    let result = query_with(cli, MAIL, options.clone()).await?.finish().await?;
    println!("{:#?}", result.output::<Order>()?);
    println!("It has cost {:.5} dollars", result.total_cost_usd);
    for (model, usage) in &result.model_usage {
        println!("{model}: {} tokens in, {} out", usage.input_tokens, usage.output_tokens);
    }

    // A model that does not comply is an error, not a panic.
    let cli = ScriptedCli::new().turn(|t| t.say("Two crates of pears."));
    let result = query_with(cli, MAIL, options).await?.finish().await?;
    println!("{}", result.output::<Order>().expect_err("there is no order"));
    Ok(())
}
