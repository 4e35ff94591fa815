use toolwright::tool;

#[tool]
async fn search(#[arg(min = 10, max = 10, min = 9)] limit: u32, #[arg(min = 1)] #[arg(min = 1)] page: u32) -> u32 {
    limit + page
}

fn main() {
    let _ = search::tool();
}
