use toolwright::{Args, tool};

struct Search {
    query: String,
}

#[tool]
async fn search(Args(Search { query }): Args<Search>) -> String {
    query
}

fn main() {}
