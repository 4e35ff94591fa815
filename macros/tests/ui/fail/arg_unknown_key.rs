use toolwright::tool;

#[tool]
async fn search(#[arg(maximum = 10)] limit: u32, #[arg(min = 1, colour = "X")] page: u32) -> u32 {
    limit + page
}

fn main() {
    let _ = search::tool();
}
