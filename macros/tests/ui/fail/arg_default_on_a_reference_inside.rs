use toolwright::tool;

#[tool]
async fn search(#[arg(default = ["a"])] names: &[&str]) -> usize {
    names.len()
}

fn main() {
    let _ = search::tool();
}
