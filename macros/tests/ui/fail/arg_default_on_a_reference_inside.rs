use toolwright::tool;

#[tool]
async fn search(
    #[arg(default = ["a"])] names: &[&str],
    #[arg(default = vec!["b"])] words: Vec<&str>,
) -> usize {
    names.len() + words.len()
}

fn main() {
    let _ = search::tool();
}
