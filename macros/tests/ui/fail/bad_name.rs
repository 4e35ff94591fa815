use toolwright::{prompt, prompts, tool, tools, toolset};

#[tool(name = "add two")]
async fn space(a: f64, b: f64) -> f64 {
    a + b
}

#[tool]
async fn größe() -> f64 {
    0.0
}

#[tool(name = "")]
async fn empty() {}

#[tool(name = "0123456789_abcdef0123456789_abcdef0123456789_abcdef0123456789_abcdef\
    0123456789_abcdef0123456789_abcdef0123456789_abcdef0123456789")]
async fn long() {}

#[prompt(name = "git.commit")]
async fn commit() -> &'static str {
    "Describe it."
}

struct Git;

#[toolset(prefix = "git.")]
impl Git {
    #[tool]
    fn status(&self) {}

    #[prompt]
    fn review(&self) -> &'static str {
        "Read it."
    }
}

fn main() {
    let _ = prompts![commit];
    let _ = tools![space, größe, empty, long];
}
