//! The programs that are built.

mod floor;

use std::fmt::Write;

use super::super::project::Library;

/// The tools of a program besides the one that every program has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    /// None: what every build costs.
    None,
    /// This many of three arguments.
    Plain(usize),
    /// This many of two arguments, one of them a struct that has a list of another struct. Each
    /// tool has its own two structs.
    Structs(usize),
}

impl Tools {
    pub fn count(self) -> usize {
        match self {
            Self::None => 0,
            Self::Plain(count) | Self::Structs(count) => count,
        }
    }
}

/// A server with these tools, as a user of the library writes it.
pub fn source(library: Library, tools: Tools) -> String {
    let mut source = Source { library, types: String::new(), tools: String::new(), names: vec![] };
    source.tool("one", "", "String::new()");
    for at in 0..tools.count() {
        match tools {
            Tools::Structs(_) => source.with_structs(at),
            _ => source.plain(at),
        }
    }
    source.finish()
}

struct Source {
    library: Library,
    types: String,
    tools: String,
    names: Vec<String>,
}

impl Source {
    fn plain(&mut self, at: usize) {
        let body = format!("format!(\"{at} {{a}} {{text}} {{limit:?}}\")");
        let text = if self.library == Library::Rmcp { "String" } else { "&str" };
        let params = format!("/** The first. */ a: f64, text: {text}, limit: Option<u32>");
        self.tool(&format!("plain_{at}"), &params, &body);
    }

    fn with_structs(&mut self, at: usize) {
        let query = format!("text: String, exact: bool, filters: Vec<Filter{at}>");
        self.data(&format!("Filter{at}"), "field: String, limit: Option<u32>");
        self.data(&format!("Query{at}"), &query);
        let body = "format!(\"{} {} {limit:?}\", query.text, query.filters.len())";
        let params = format!("query: Query{at}, limit: Option<u32>");
        self.tool(&format!("struct_{at}"), &params, body);
    }

    fn data(&mut self, name: &str, fields: &str) {
        let attribute = match self.library {
            Library::Ours => "#[toolwright::data]",
            Library::Rmcp | Library::Floor => "#[derive(serde::Deserialize, schemars::JsonSchema)]",
        };
        let _ = writeln!(self.types, "{attribute}\nstruct {name} {{ {fields} }}");
    }

    fn tool(&mut self, name: &str, params: &str, body: &str) {
        let _ = match self.library {
            Library::Ours => writeln!(
                self.tools,
                "/// Says {name}.\n#[tool(read_only)]\n\
                 async fn {name}({params}) -> String {{ {body} }}"
            ),
            Library::Rmcp => {
                let taken = if params.is_empty() {
                    String::new()
                } else {
                    let args = format!("Args{}", self.names.len());
                    self.data(&args, params);
                    let names = params.replace("/** The first. */ ", "");
                    let names: Vec<&str> = names
                        .split(", ")
                        .filter_map(|field| Some(field.split_once(':')?.0))
                        .collect();
                    format!(", Parameters({args} {{ {} }}): Parameters<{args}>", names.join(", "))
                };
                writeln!(
                    self.tools,
                    "#[tool(description = \"Says {name}.\")]\n\
                     async fn {name}(&self{taken}) -> String {{ {body} }}"
                )
            }
            Library::Floor => write!(self.tools, "{}", floor::tool(name, params, body)),
        };
        self.names.push(name.to_owned());
    }

    fn finish(self) -> String {
        let Self { types, tools, names, .. } = &self;
        match self.library {
            Library::Ours => format!(
                "#![allow(dead_code)]\n\
                 use toolwright::{{ToolRegistry, tool, tools}};\n\
                 fn main() -> std::process::ExitCode {{\n\
                 let tools = || tools![{}];\n\
                 toolwright_stdio::main(|| ToolRegistry::builder(\"s\").tools(tools()).build())\n\
                 }}\n{types}{tools}",
                names.join(", ")
            ),
            Library::Rmcp => format!(
                "#![allow(dead_code, unused_imports)]\n\
                 use rmcp::handler::server::wrapper::Parameters;\n\
                 use rmcp::{{ServiceExt, schemars, tool, tool_router, transport::stdio}};\n\
                 #[tokio::main]\n\
                 async fn main() -> Result<(), Box<dyn std::error::Error>> {{\n\
                 Server.serve(stdio()).await?.waiting().await?;\nOk(())\n}}\n\
                 #[derive(Clone)]\nstruct Server;\n{types}\
                 #[tool_router(server_handler)]\nimpl Server {{\n{tools}}}\n"
            ),
            Library::Floor => format!("{}{types}{tools}", floor::main(names)),
        }
    }
}
