//! Everything that the pages for users show of tools, methods and registries, in one server.

mod gateway;
mod math;
mod notes;
mod words;

use std::error::Error;
use std::process::ExitCode;

use toolwright::{
    Args, Context, Next, Tool, ToolCall, ToolRegistry, Value, data, json, tool, tools,
};

use math::add;
use notes::{Db, Notes};
use words::Dictionary;

fn main() -> ExitCode {
    toolwright_stdio::main_async(registry)
}

async fn registry() -> Result<ToolRegistry, Box<dyn Error>> {
    let registry = ToolRegistry::builder("calc")
        .version(env!("CARGO_PKG_VERSION"))
        .instructions("Arithmetic and notes.")
        .tools(tools![
            add,
            math::mean,
            math::scale,
            math::area,
            words::echo,
            words::translate,
            words::sort,
            words::wait,
            gateway::show,
        ])
        .toolset(Notes::new(Db::default()))
        .state(Dictionary::default())
        .layer(async |call: ToolCall, next: Next| {
            let name = call.name().to_owned();
            let result = next.run(call).await;
            if result.is_error {
                eprintln!("{name} has failed");
            }
            result
        })
        .build()?;

    // What a unit test does: no transport.
    let sum = registry.call("add", json!({"a": 2, "b": 40})).await?;
    assert_eq!(sum.to_text(), "42");

    // While clients are connected, these tell them that the list has changed.
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let late = Tool::new("late", "Added at run time", schema, async |args: Value, _: Context| {
        format!("Better late than never, {}", args["name"])
    });
    registry.add(late)?;
    registry.add(fresh::tool())?;
    registry.remove("late");

    let unit = String::from("m");
    registry.add(Tool::typed("length", "Length of a line", async move |line: Line, cx| {
        cx.progress(0.5, "measuring");
        format!("{} {unit}", (line.x.powi(2) + line.y.powi(2)).sqrt())
    }))?;

    assert!(registry.allowed_tools().contains(&"mcp__calc__notes_search".to_owned()));
    for finding in registry.lint() {
        eprintln!("{finding}");
    }
    Ok(registry)
}

/// A line from the origin.
#[data]
struct Line {
    x: f64,
    y: f64,
}

/// Say how a line looks.
#[tool(read_only)]
async fn fresh(Args(line): Args<Line>) -> &'static str {
    if line.x > line.y { "flat" } else { "steep" }
}
