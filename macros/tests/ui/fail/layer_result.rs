use toolwright::{Next, ToolCall, ToolRegistry};

fn main() {
    let quiet = async |call: ToolCall, next: Next| {
        next.run(call).await;
    };
    let _ = ToolRegistry::builder("quiet").layer(quiet).build();
}
