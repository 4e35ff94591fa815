use toolwright::{Context, tool};

struct NoDerives;

#[tool]
async fn bad(one: Option<&NoDerives>, many: &[&NoDerives]) -> bool {
    one.is_some() || many.is_empty()
}

#[tool]
async fn injected(cx: Option<&Context>) -> bool {
    cx.is_some()
}

fn main() {
    let _ = toolwright::tools![bad, injected];
}
