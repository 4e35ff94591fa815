use std::rc::Rc;

use toolwright::tool;

async fn pause() {}

#[tool]
async fn count() -> usize {
    let shared = Rc::new(1);
    pause().await;
    *shared
}

fn main() {}
