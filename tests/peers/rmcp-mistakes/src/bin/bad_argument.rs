use rmcp::handler::server::wrapper::Parameters;
use rmcp::{tool, tool_router};

struct Celsius(f64);

#[derive(Clone)]
struct Weather;

#[tool_router(server_handler)]
impl Weather {
    #[tool]
    async fn warm(&self, Parameters(degrees): Parameters<Celsius>) -> String {
        (degrees.0 > 20.0).to_string()
    }
}

fn main() {
    let _ = Weather;
}
