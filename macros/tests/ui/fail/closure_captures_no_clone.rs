use std::sync::Mutex;

use toolwright::{Tool, data};

#[data]
struct Push {
    value: u32,
}

fn main() {
    let values = Mutex::new(Vec::new());
    let _ = Tool::typed("push", "Adds a value", async move |push: Push, _| {
        values.lock().unwrap().push(push.value);
    });
}
