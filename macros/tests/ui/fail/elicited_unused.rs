#![deny(unused_must_use)]

use toolwright::{AskError, Context, data, tool};

#[data]
struct Terms {
    agreed: bool,
}

#[tool]
async fn sign(cx: &Context) -> Result<(), AskError> {
    cx.elicit::<Terms>("Do you agree?").await?;
    cx.elicit_url("Pay", "https://example.com/pay").await?;
    Ok(())
}

fn main() {}
