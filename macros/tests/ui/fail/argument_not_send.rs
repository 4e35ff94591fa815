use std::marker::PhantomData;

use toolwright::{data, tool, tools};

#[data]
struct Local {
    size: u32,
    #[serde(skip)]
    marker: PhantomData<*const ()>,
}

#[tool]
async fn measure(local: Local) -> u32 {
    local.size
}

fn main() {
    let _ = tools![measure];
}
