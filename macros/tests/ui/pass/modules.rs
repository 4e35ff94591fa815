//! Tools in modules, imported with their functions.

use toolwright::{ToolRegistry, tools};

mod math {
    pub mod ints {
        #[toolwright::tool]
        pub async fn add(a: i64, b: i64) -> i64 {
            a + b
        }

        #[toolwright::tool]
        pub fn neg(a: i64) -> i64 {
            -a
        }
    }

    pub use ints::neg as minus;
}

use math::ints::add;
use math::minus;

pub fn main() {
    let registry = ToolRegistry::builder("math").tools(tools![add, minus]).build().unwrap();
    registry.remove("add");
    registry.add(math::ints::add::tool()).unwrap();
    let _future = add(1, minus(2));
}
