//! A tool that asks its user, once for a form and once for a yes, and prints the label only once
//! although it runs in rounds. The answers are played here; Claude Code shows a dialog.

use std::error::Error;
use std::sync::atomic::{AtomicU32, Ordering};

use toolwright::testing::TestClient;
use toolwright::{AskError, Context, Eras, ToolRegistry, data, json, tool, tools};

/// Where an order goes.
#[data]
struct Address {
    /// The city.
    #[schemars(length(min = 2))]
    city: String,
    express: Option<bool>,
}

static LABELS: AtomicU32 = AtomicU32::new(0);

async fn print_label() -> Result<u32, AskError> {
    Ok(LABELS.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Ship an order.
#[tool(read_only = false)]
async fn ship(order: u32, cx: &Context) -> Result<String, AskError> {
    let to = cx.elicit::<Address>("Where to?").await?.accepted()?;
    let label = cx.once("label", print_label()).await?;
    match cx.confirm(format!("Ship {order} to {}?", to.city)).await? {
        true => Ok(format!("Order {order} is on its way, label {label}.")),
        false => Ok("Nothing was shipped.".to_owned()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    for eras in [Eras::Legacy, Eras::Modern] {
        let registry = ToolRegistry::builder("shop").eras(eras).tools(tools![ship]).build()?;
        let mut client = TestClient::in_memory(&registry)?;
        client.on_elicit(move |asked| {
            println!("{eras:?}: {}", asked.message());
            match asked.message().starts_with("Where to?") {
                true => asked.accept(json!({"city": "Bonn", "express": true})),
                false => asked.agree(),
            }
        })?;
        println!("{}", client.call("ship", json!({"order": 7}))?.to_text());
        client.on_elicit(|asked| asked.decline())?;
        println!("{}", client.expect_error("ship", json!({"order": 8}))?);
    }
    println!("{} labels were printed.", LABELS.load(Ordering::Relaxed));
    Ok(())
}
