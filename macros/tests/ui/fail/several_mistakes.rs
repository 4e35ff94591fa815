use toolwright::tool;

#[tool(inline, name = "a b", readonly)]
async fn add(a: &mut f64, b: Option<&str>) -> f64 {
    *a + b.map_or(0, str::len) as f64
}

fn main() {
    let _ = toolwright::tools![add];
}
