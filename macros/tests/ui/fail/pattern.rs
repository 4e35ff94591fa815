use toolwright::{data, tool};

#[data]
struct Point {
    x: u8,
}

#[tool]
async fn tuple((a, b): (u8, u8)) -> u8 {
    a + b
}

#[tool]
async fn point(Point { x }: Point, _: &str) -> u8 {
    x
}

#[tool]
async fn with_arg(#[arg(description = "Both.")] (a, b): (u8, u8)) -> u8 {
    a + b
}

fn main() {
    let _ = toolwright::tools![tuple, point, with_arg];
}
