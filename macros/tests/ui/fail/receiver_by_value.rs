use std::sync::Arc;

use toolwright::tool;

struct Notes;

impl Notes {
    #[tool]
    async fn take(self) {}

    #[tool]
    async fn change(&mut self) {}

    #[tool]
    async fn share(self: Arc<Self>) {}
}

fn main() {
    let _ = Notes.change();
    let _ = Arc::new(Notes).share();
    let _ = Notes.take();
}
