use toolwright::tool;

#[tool(task = "optional")]
async fn word() {}

#[tool(task = true)]
async fn flag() {}

#[tool(task =)]
async fn nothing() {}

#[tool(task("required"))]
async fn list() {}

#[tool(task = required)]
async fn ident() {}

fn main() {
    word::tool();
    flag::tool();
    nothing::tool();
    list::tool();
    ident::tool();
}
