use toolwright::{prompt, prompts};

#[prompt(read_only)]
fn review() -> String {
    String::new()
}

#[prompt(titel = "Review")]
fn other() -> String {
    String::new()
}

fn main() {
    prompts![review, other];
}
