use toolwright::prompt;

#[prompt]
fn review() -> u32 {
    7
}

fn main() {
    review::prompt();
}
