use toolwright::tool;

#[tool]
async fn search(#[arg(default = 10)] limit: Option<u32>) -> Option<u32> {
    limit
}

fn main() {
    let _ = search::tool();
}
