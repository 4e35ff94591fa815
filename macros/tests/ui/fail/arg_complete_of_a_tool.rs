use toolwright::{Completing, tool};

async fn names(_: &str, _: &Completing) -> Vec<String> {
    Vec::new()
}

#[tool]
fn find(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {
    find::tool();
}
