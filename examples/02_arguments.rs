//! Arguments with bounds and defaults, of types of your own, and all arguments as one struct.
//!
//! Run with `cargo run --example 02_arguments -- call price --help`.

use std::process::ExitCode;

use toolwright::{Args, ToolRegistry, data, tool, tools};

/// Something to drink.
#[data]
#[serde(rename_all = "lowercase")]
enum Drink {
    Coffee,
    Tea,
}

/// A line of an order.
#[data]
#[serde(deny_unknown_fields)]
struct Item {
    drink: Drink,
    /// How many cups.
    #[schemars(range(min = 1, max = 20))]
    cups: u32,
    /// What goes into it, such as milk.
    #[serde(default)]
    with: Vec<String>,
}

/// How an order is paid.
#[data]
#[serde(tag = "by", rename_all = "lowercase")]
enum Payment {
    Cash,
    Card { number: String },
}

/// Order drinks.
#[tool(destructive = false)]
async fn order(
    #[arg(min_length = 1)] items: &[Item],
    payment: Payment,
    #[arg(description = "Per cent of the price.", default = 10, max = 30)] tip: u32,
) -> String {
    let cups: u32 = items.iter().map(|item| item.cups).sum();
    let card = if let Payment::Card { number } = payment { number } else { "none".to_owned() };
    format!("{cups} cups. Tip: {tip}%. Card: {card}.")
}

/// Say what an item costs. Its arguments are the fields of an item.
#[tool(read_only)]
async fn price(Args(item): Args<Item>) -> String {
    let euros = if matches!(item.drink, Drink::Tea) { 2 } else { 3 };
    format!("{} euros", item.cups * euros)
}

fn main() -> ExitCode {
    toolwright_stdio::main(|| ToolRegistry::builder("cafe").tools(tools![order, price]).build())
}
