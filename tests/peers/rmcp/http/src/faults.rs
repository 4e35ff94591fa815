//! The tools of the other mode, and those whose answers `docs/RELIABILITY.md` has besides.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::{tool, tool_router};
use serde::Deserialize;

use super::{Add, Echo};

#[derive(Deserialize, JsonSchema)]
struct Fail {
    message: String,
}

#[derive(Deserialize, JsonSchema)]
struct Region {
    #[schemars(extend("x-mcp-header" = "Region"))]
    region: String,
}

#[derive(Clone)]
pub(crate) struct Faults;

#[tool_router(server_handler)]
impl Faults {
    #[tool(description = "Add two numbers.")]
    fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> String {
        (a + b).to_string()
    }

    #[tool(description = "Give the text back.")]
    fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(description = "Fail with a message.")]
    fn fail(&self, Parameters(Fail { message }): Parameters<Fail>) -> Result<String, String> {
        Err(message)
    }

    #[tool(description = "Panic.")]
    fn panic(&self) -> String {
        panic!("a panic that this server was asked for");
    }

    #[tool(description = "A tool with a parameter that proxies may read.")]
    fn test_custom_header(&self, Parameters(Region { region }): Parameters<Region>) -> String {
        region
    }
}
