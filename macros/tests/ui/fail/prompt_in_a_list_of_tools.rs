use toolwright::{prompt, tools};

#[prompt]
fn review() -> String {
    String::new()
}

fn main() {
    tools![review];
}
