use std::rc::Rc;

use toolwright::toolset;

struct Notes;

#[toolset]
impl Notes {
    #[tool]
    async fn wait(&self) -> usize {
        let count = Rc::new(0);
        std::future::ready(()).await;
        *count
    }
}

fn main() {}
