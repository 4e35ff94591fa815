use toolwright::{Tool, tool, tools};

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

fn main() {
    let _: [Tool; 1] = tools![add(), add];
    let _: [Tool; 1] = tools![add, add::tool(), self::add::tool()];
}
