use std::time::Instant;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{schemars, tool, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Remind {
    at: Instant,
}

#[derive(Clone)]
struct Clock;

#[tool_router(server_handler)]
impl Clock {
    #[tool]
    async fn remind(&self, Parameters(remind): Parameters<Remind>) -> String {
        format!("{:?}", remind.at)
    }
}

fn main() {
    let _ = Clock;
}
