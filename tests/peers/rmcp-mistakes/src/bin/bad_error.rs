use rmcp::{tool, tool_router};

struct Broken;

#[derive(Clone)]
struct Weather;

#[tool_router(server_handler)]
impl Weather {
    #[tool]
    async fn measure(&self) -> Result<String, Broken> {
        Err(Broken)
    }
}

fn main() {
    let _ = Weather;
}
