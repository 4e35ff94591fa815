//! Async, plain, inline and constant functions, of every visibility.

use toolwright::{ToolRegistry, tool, tools};

pub mod kinds {
    use toolwright::tool;

    #[tool]
    pub async fn waits() {
        std::future::ready(()).await;
    }

    #[tool]
    pub(crate) fn computes(n: u32) -> u32 {
        (1..=n).product()
    }

    #[tool(inline)]
    pub(super) const fn doubles(n: u32) -> u32 {
        n * 2
    }

    #[tool]
    pub extern "C" fn is_foreign(n: u32) -> u32 {
        n
    }
}

use kinds::doubles;

const FOUR: u32 = doubles(2);

#[tool]
fn quadruples(n: u32) -> u32 {
    n * FOUR
}

pub fn main() {
    let tools = tools![kinds::waits, kinds::computes, doubles, kinds::is_foreign, quadruples];
    ToolRegistry::builder("kinds").tools(tools).build().unwrap();
}
