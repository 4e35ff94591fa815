use rmcp::schemars::{self, JsonSchema};
use rmcp::{Peer, RoleServer, elicit_safe};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Address {
    city: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order {
    to: Address,
}

elicit_safe!(Order);

async fn ask(client: Peer<RoleServer>) -> Option<String> {
    let order = client.elicit::<Order>("Where to?").await.ok()??;
    Some(order.to.city)
}

fn main() {
    let _ = ask;
}
