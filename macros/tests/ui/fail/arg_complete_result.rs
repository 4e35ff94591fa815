use toolwright::{Completing, prompt};

fn number(_: &str, _: &Completing) -> u32 {
    7
}

#[prompt]
fn find(#[arg(complete = number)] name: String) -> String {
    name
}

fn main() {
    find::prompt();
}
