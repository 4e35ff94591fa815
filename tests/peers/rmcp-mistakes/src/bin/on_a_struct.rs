use rmcp::tool;

#[tool]
struct Add {
    a: f64,
    b: f64,
}

fn main() {
    let Add { a, b } = Add { a: 1.0, b: 2.0 };
    let _ = a + b;
}
