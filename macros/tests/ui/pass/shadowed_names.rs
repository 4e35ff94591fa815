//! Items of the user's own with the names of what an expansion uses.

use toolwright::{ToolRegistry, tools};

#[allow(dead_code, unused_macros)]
mod shadowed {
    use ::toolwright::{Args, data, tool};

    struct Result;
    struct Box;
    struct Vec;
    struct Some;
    struct Ok;
    trait Send {}
    trait Future {}
    trait Default {}
    mod core {}
    mod std {}
    mod serde {}
    mod toolwright {}
    macro_rules! concat {
        () => {};
    }
    macro_rules! unreachable {
        () => {};
    }

    #[data]
    pub struct D {
        query: String,
    }

    #[data]
    pub struct Search {
        d: D,
    }

    /// Search.
    #[tool(title = "Search", meta("a" = 1))]
    pub async fn search(Args(search): Args<Search>) -> usize {
        search.d.query.len()
    }
}

pub fn main() {
    ToolRegistry::builder("notes").tools(tools![shadowed::search]).build().unwrap();
}
