//! A sample server with three tools: `calculator`, `current_time` and `random_number`.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use toolwright::{Json, ToolRegistry, data, tool, tools};
use toolwright_console::date_time;

/// What the calculator can do.
#[data]
#[serde(rename_all = "snake_case")]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// Calculate with two numbers.
#[tool(read_only, idempotent, open_world = false)]
async fn calculator(
    /// What to do.
    operation: Operation,
    /// The left operand.
    a: f64,
    /// The right operand.
    b: f64,
) -> Result<f64, &'static str> {
    match operation {
        Operation::Add => Ok(a + b),
        Operation::Subtract => Ok(a - b),
        Operation::Multiply => Ok(a * b),
        Operation::Divide if b == 0.0 => Err("division by zero"),
        Operation::Divide => Ok(a / b),
    }
}

/// A moment.
#[data]
struct Moment {
    /// Seconds since 1970-01-01 00:00 UTC.
    unix_seconds: u64,
    /// The same as date and time in UTC, such as `2026-11-20T05:56:00Z`.
    utc: String,
}

/// Tell the current time.
#[tool(read_only, open_world = false)]
async fn current_time() -> Json<Moment> {
    let seconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    Json(Moment { unix_seconds: seconds, utc: date_time(seconds) + "Z" })
}

/// Draw a random whole number; both ends can come.
#[tool(read_only, open_world = false)]
async fn random_number(
    /// The least that can come.
    min: i32,
    /// The most that can come.
    max: i32,
) -> Result<i64, String> {
    let (min, max) = (i64::from(min), i64::from(max));
    if min > max {
        return Err(format!("min ({min}) is more than max ({max})"));
    }
    // Each RandomState has a new seed.
    let random = RandomState::new().build_hasher().finish();
    let offset = random % (max - min + 1).unsigned_abs();
    Ok(min + i64::try_from(offset).unwrap_or_default())
}

fn main() -> ExitCode {
    toolwright_stdio::main(|| {
        ToolRegistry::builder("toolwright-sample")
            .version(env!("CARGO_PKG_VERSION"))
            .tools(tools![calculator, current_time, random_number])
            .build()
    })
}
