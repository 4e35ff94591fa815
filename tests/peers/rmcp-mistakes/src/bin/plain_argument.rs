use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Calc;

#[tool_router(server_handler)]
impl Calc {
    #[tool]
    async fn add(&self, a: f64, b: f64) -> String {
        (a + b).to_string()
    }
}

fn main() {
    let _ = Calc;
}
