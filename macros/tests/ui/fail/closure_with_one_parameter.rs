use toolwright::{Tool, data};

#[data]
struct Push {
    value: u32,
}

fn main() {
    let _ = Tool::typed("push", "Adds a value", async |push: Push| push.value);
}
