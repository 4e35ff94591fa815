use toolwright::{data, tool, tools};

#[data]
struct Note {
    title: String,
}

#[tool]
async fn first() -> Note {
    Note { title: String::new() }
}

#[tool]
async fn titles() -> Vec<String> {
    Vec::new()
}

fn main() {
    let _ = tools![first, titles];
}
