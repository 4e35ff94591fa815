use rmcp::handler::server::wrapper::Parameters;
use rmcp::{schemars, tool, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Search<'a> {
    query: &'a str,
}

#[derive(Clone)]
struct Notes;

#[tool_router(server_handler)]
impl Notes {
    #[tool]
    async fn search(&self, Parameters(search): Parameters<Search<'_>>) -> String {
        search.query.to_owned()
    }
}

fn main() {
    let _ = Notes;
}
