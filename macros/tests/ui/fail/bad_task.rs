use toolwright::tool;

#[tool(task = "optional")]
async fn word() {}

#[tool(task = true)]
async fn flag() {}

#[tool(task =)]
async fn nothing() {}

fn main() {
    word::tool();
    flag::tool();
    nothing::tool();
}
