use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Calc;

#[tool_router(server_handler)]
impl Calc {
    #[tool]
    async fn twice<T: Clone + Send>(&self, Parameters(value): Parameters<T>) -> String {
        let _ = value;
        String::new()
    }
}

fn main() {
    let _ = Calc;
}
