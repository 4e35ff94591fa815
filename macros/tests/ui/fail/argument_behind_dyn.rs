use toolwright::{tool, tools};

#[tool]
async fn show(value: &(dyn std::fmt::Display + Sync)) -> String {
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
