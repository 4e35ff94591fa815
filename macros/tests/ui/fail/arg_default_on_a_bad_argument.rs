use toolwright::tool;

struct NoDerives;

#[tool]
async fn search(#[arg(default = NoDerives)] a: NoDerives, #[arg(default = "x")] b: &NoDerives) {
    let _ = (a, b);
}

fn main() {
    let _ = search::tool();
}
