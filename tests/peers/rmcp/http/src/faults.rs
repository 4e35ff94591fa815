//! The service of `rmcp-http example`, with the tools whose answers `docs/RELIABILITY.md` has
//! besides. `rmcp-faults guarded` wants a token, as rmcp's example of an axum middleware does,
//! since rmcp's server knows none.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitationSchema, InputRequest,
    InputRequests, InputRequiredResult,
};
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{ErrorData, tool, tool_router};
use serde::Deserialize;
use tokio::net::TcpListener;

#[path = "main.rs"]
#[expect(dead_code, reason = "it has a `main` of its own")]
mod twin;

use twin::{Add, Echo};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Faults), sessions, Default::default());
    let mut router = Router::new().nest_service("/mcp", service);
    if std::env::args().nth(1).as_deref() == Some("guarded") {
        router = router.layer(from_fn(guard));
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

async fn guard(request: Request, next: Next) -> Result<Response, StatusCode> {
    let header = request.headers().get(AUTHORIZATION).and_then(|header| header.to_str().ok());
    match header.and_then(|header| header.strip_prefix("Bearer ")) {
        Some("good" | "narrow") => Ok(next.run(request).await),
        _ => Err(StatusCode::UNAUTHORIZED),
    }
}

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
struct Faults;

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
    #[tool(description = "Greet the user by name.")]
    async fn test_input_required_result_elicitation(&self) -> Result<CallToolResponse, ErrorData> {
        let requested_schema = ElicitationSchema::builder()
            .required_string("name")
            .build()
            .map_err(|error| ErrorData::internal_error(error, None))?;
        let form = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: "What is your name?".into(),
            requested_schema,
        };
        let request = InputRequest::Elicitation(ElicitRequest::new(form));
        let requests = InputRequests::from([("user_name".to_owned(), request)]);
        Ok(InputRequiredResult::from_input_requests(requests).into())
    }
}
