use toolwright::{tool, toolset, tools};

#[tool(task, read_only, task = "required")]
async fn build() {}

struct Jobs;

#[toolset]
impl Jobs {
    #[tool(task = "required", task = "required")]
    async fn deploy(&self) {}
}

fn main() {
    let _ = tools![build];
}
