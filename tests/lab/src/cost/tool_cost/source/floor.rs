//! The same tools without a library: what the functions, their futures and the derives cost.

/// Takes the arguments out of slots, which nothing fills, and boxes the future of the call, as
/// every server does that has tools of several types in one list.
const MAIN: &str = r#"
// A tool without arguments takes nothing out of the slots.
#![allow(dead_code, unused_variables)]
use std::future::Future;
use std::pin::Pin;
type Work = Pin<Box<dyn Future<Output = String> + Send>>;
#[derive(Default)]
struct Slots { a: Option<f64>, text: Option<String>, limit: Option<Option<u32>>, json: String }
struct Tool {
    name: &'static str,
    description: &'static str,
    start: fn(&mut Slots) -> Option<Work>,
    schema: fn() -> Option<schemars::Schema>,
}
fn main() {
    // The compiler must not know that nothing is called.
    let chosen = std::env::args().count();
    for tool in TOOLS.iter().filter(|tool| tool.name.len() == chosen) {
        let is_started = (tool.start)(&mut Slots::default()).is_some();
        println!("{} {is_started} {:?}", tool.description, (tool.schema)());
    }
}
"#;

/// The program without its types and functions.
pub fn main(names: &[String]) -> String {
    let tools = names.iter().map(|name| {
        format!(
            "Tool {{ name: \"{name}\", description: \"Says {name}.\", start: start_{name}, \
             schema: schema_{name} }},\n"
        )
    });
    format!("{MAIN}static TOOLS: &[Tool] = &[\n{}];\n", tools.collect::<String>())
}

/// The function of a tool, and what starts and describes it.
pub fn tool(name: &str, params: &str, body: &str) -> String {
    let (mut values, mut passed, mut schema) = (String::new(), Vec::new(), "None".to_owned());
    let params = params.replace("/** The first. */ ", "");
    for (param, ty) in params.split(", ").filter_map(|param| param.split_once(": ")) {
        let value = match ty.starts_with("Query") {
            true => format!("serde_json::from_str::<{ty}>(&slots.json).ok()?"),
            false => format!("slots.{param}.take()?"),
        };
        values += &format!("let {param} = {value}; ");
        passed.push(if ty == "&str" { format!("&{param}") } else { param.to_owned() });
        if ty.starts_with("Query") {
            schema = format!("Some(schemars::schema_for!({ty}))");
        }
    }
    let passed = passed.join(", ");
    format!(
        "async fn {name}({params}) -> String {{ {body} }}\n\
         fn start_{name}(slots: &mut Slots) -> Option<Work> {{\n\
         {values}Some(Box::pin(async move {{ {name}({passed}).await }}))\n}}\n\
         fn schema_{name}() -> Option<schemars::Schema> {{ {schema} }}\n"
    )
}
