use toolwright::Tool;

struct Push {
    value: u32,
}

fn main() {
    let _ = Tool::typed("push", "Adds a value", async |push: Push, _| push.value);
}
