//! Tools that a `macro_rules!` writes.

use toolwright::{ToolRegistry, tool, tools};

macro_rules! unary {
    ($(#[$meta:meta])* $name:ident, $title:literal, ($param:ident: $type:ty) -> $output:ty $body:block) => {
        $(#[$meta])*
        #[tool(read_only, title = $title)]
        pub async fn $name($param: $type) -> $output $body
    };
}

unary!(
    /// Says it loudly.
    shout, "Shout", (text: &str) -> String { text.to_uppercase() }
);
unary!(count, "Count", (items: Vec<u8>) -> usize { items.len() });

pub fn main() {
    ToolRegistry::builder("text").tools(tools![shout, count]).build().unwrap();
}
