//! A module whose file comes before that of the crate.

use toolwright::tool;

#[tool]
fn first() {}

mod inside {
    /// Nothing uses it by name.
    #[toolwright::tool]
    fn second() {}
}
