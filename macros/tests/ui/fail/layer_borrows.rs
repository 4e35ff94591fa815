use std::sync::atomic::{AtomicU64, Ordering};

use toolwright::{Next, ToolCall, ToolRegistry};

fn main() {
    let calls = AtomicU64::new(0);
    let count = async |call: ToolCall, next: Next| {
        calls.fetch_add(1, Ordering::Relaxed);
        next.run(call).await
    };
    let _ = ToolRegistry::builder("count").layer(count).build();
}
