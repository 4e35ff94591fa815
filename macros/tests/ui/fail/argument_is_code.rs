use toolwright::{tool, tools};

#[tool]
async fn each(action: Box<dyn Fn(u8) + Send>) {
    action(1);
}

#[tool]
async fn apply(action: fn(u8) -> u8) -> u8 {
    action(1)
}

fn main() {
    let _ = tools![each, apply];
}
