//! The context and the token of a call, by value and by reference, under names of the user's own.

use toolwright::{CancelToken, Context, ToolRegistry, tool, tools};

mod mine {
    pub use toolwright::Context as Cx;
    pub type Token = toolwright::CancelToken;
}

use mine::{Cx, Token};

#[tool]
async fn work(cx: &Cx, owned: Context, stop: CancelToken, borrowed: &Token) -> bool {
    cx.progress(0.5, "half way");
    owned.progress(1.0, "done");
    stop.is_cancelled() || borrowed.is_cancelled()
}

#[tool]
fn on_a_thread(cx: &Context, steps: u32) {
    for step in 0..steps {
        cx.progress(f64::from(step) / f64::from(steps), "at work");
    }
}

pub fn main() {
    ToolRegistry::builder("work").tools(tools![work, on_a_thread]).build().unwrap();
}
