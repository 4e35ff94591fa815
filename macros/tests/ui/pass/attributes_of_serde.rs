//! Attributes of serde and schemars on parameters, and `#[arg]` for names and patterns.

use toolwright::{ToolRegistry, tool, tools};

mod seconds {
    use toolwright::__private::serde::{Deserialize, Deserializer};

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        u64::deserialize(from).map(|minutes| minutes * 60)
    }
}

#[tool]
async fn wait(
    #[serde(deserialize_with = "seconds::deserialize")] time: u64,
    #[schemars(length(max = 3))] names: &[String],
    #[arg(lenient, max = 9)] count: u8,
    #[arg(secret)] key: &str,
    #[arg(rename = "point")] (x, y): (f64, f64),
) -> String {
    format!("{time} {names:?} {count} {} {x} {y}", key.len())
}

pub fn main() {
    ToolRegistry::builder("clock").tools(tools![wait]).build().unwrap();
}
