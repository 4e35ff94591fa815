use toolwright::prompt;

async fn names(_: u32) -> Vec<String> {
    Vec::new()
}

#[prompt]
fn find(#[arg(complete = names)] name: String) -> String {
    name
}

fn main() {
    find::prompt();
}
