use toolwright::{Args, Context, data, tool};

#[data]
struct Search {
    query: String,
}

#[tool]
async fn beside(Args(search): Args<Search>, cx: &Context, limit: u32) -> String {
    cx.progress(0.5, "");
    format!("{}{limit}", search.query)
}

#[tool]
async fn twice(a: Args<Search>, b: Args<Search>) -> String {
    a.0.query + &b.0.query
}

type Whole = Args<Search>;

#[tool]
async fn aliased(Args(search): Whole, limit: u32) -> String {
    format!("{}{limit}", search.query)
}

#[tool]
async fn behind(limit: u32, Args(search): Args<Search>) -> String {
    format!("{}{limit}", search.query)
}

fn main() {
    let _ = toolwright::tools![beside, twice, aliased, behind];
}
