//! Lists with conditions, and tools under other names.

use toolwright::{ToolRegistry, tools};

mod math {
    use toolwright::tool;

    #[tool]
    pub async fn add(a: f64, b: f64) -> f64 {
        a + b
    }

    #[cfg(unix)]
    #[tool]
    pub fn neg(a: f64) -> f64 {
        -a
    }
}

pub fn main() {
    let list = tools![
        math::add,
        #[cfg(unix)]
        math::neg,
        #[cfg(any())]
        math::none,
    ];
    let none: [toolwright::Tool; 0] = tools![];
    let builder = ToolRegistry::builder("math").tools_with_prefix("math_", list).tools(none);
    let registry = builder.tool(math::add::tool().with_name("sum").with_prefix("a.")).build().unwrap();
    assert!(registry.get("math_add").is_some() && registry.get("a.sum").is_some());
}
