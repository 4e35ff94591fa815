//! The server of `main.rs` with 46 more tools, which nobody calls.

use std::process::ExitCode;

use toolwright::{Context, Tool, Value, json};

#[path = "main.rs"]
#[expect(dead_code, reason = "it has a `main` of its own")]
mod calc;

fn main() -> ExitCode {
    toolwright_stdio::main(|| calc::registry().tools((0..46).map(more)).build())
}

fn more(number: usize) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Some text."},
            "count": {"type": "integer"},
        },
        "required": ["text"],
    });
    let nothing = async |_: Value, _: Context| "nothing";
    Tool::new(format!("more_{number}"), "Does nothing.", schema, nothing)
}
