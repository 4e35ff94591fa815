use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Calc;

#[tool_router(server_handler)]
impl Calc {
    #[tool(name = "add two")]
    async fn space(&self) -> String {
        "2".to_owned()
    }
}

fn main() {
    let _ = Calc;
}
