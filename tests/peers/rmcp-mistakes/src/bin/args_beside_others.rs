use rmcp::handler::server::wrapper::Parameters;
use rmcp::{schemars, tool, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query {
    text: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    size: u32,
}

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn search(
        &self,
        Parameters(query): Parameters<Query>,
        Parameters(page): Parameters<Page>,
    ) -> String {
        format!("{} {}", query.text, page.size)
    }
}

fn main() {
    let _ = Notes;
}
