//! Methods of a type with parameters, of which two instances are served.

use std::fmt::Display;

use toolwright::{ToolRegistry, toolset};

pub struct Store<T> {
    value: T,
}

#[toolset]
impl<T: Display + Clone> Store<T>
where
    T: Send + Sync,
{
    /// Show the value.
    #[tool]
    async fn show(&self, times: u8) -> String {
        self.value.clone().to_string().repeat(usize::from(times))
    }
}

pub fn main() {
    ToolRegistry::builder("number").toolset(Store { value: 5 }).build().unwrap();
    ToolRegistry::builder("text").toolset(Store { value: "five" }).build().unwrap();
}
