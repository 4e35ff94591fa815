use std::collections::HashMap;

use toolwright::{AskError, Context, data, tool, tools};

#[data]
struct Address {
    city: String,
}

#[data]
struct Order {
    to: Address,
}

#[data]
struct Labels {
    labels: HashMap<String, String>,
}

#[data]
struct Place {
    at: (f64, f64),
}

#[data]
struct Notes {
    notes: Vec<String>,
}

#[data]
enum Payment {
    Cash,
    Card { number: String },
}

#[data]
struct Bill {
    payment: Option<Payment>,
}

#[tool]
async fn ask(cx: &Context) -> Result<(), AskError> {
    cx.elicit::<Order>("Where to?").await?;
    cx.elicit::<Labels>("How is it called?").await?;
    cx.elicit::<Place>("Where is it?").await?;
    cx.elicit::<Notes>("What else?").await?;
    cx.elicit::<Bill>("Who pays?").await?;
    Ok(())
}

fn main() {
    let _ = tools![ask];
}
