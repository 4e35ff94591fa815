//! {{description}}

use std::process::ExitCode;

use toolwright::{BuildError, ToolRegistry, tool, tools};

fn main() -> ExitCode {
    toolwright_stdio::main(registry)
}

fn registry() -> Result<ToolRegistry, BuildError> {
    ToolRegistry::builder("{{project-name}}")
        .version(env!("CARGO_PKG_VERSION"))
        .tools(tools![divide])
        .build()
}

/// Divide one number by another.
#[tool(read_only, idempotent)]
async fn divide(
    /// The number that is divided.
    a: f64,
    /// What it is divided by; not zero.
    b: f64,
) -> Result<f64, &'static str> {
    if b == 0.0 { Err("A number cannot be divided by zero.") } else { Ok(a / b) }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use toolwright::json;
    use toolwright::testing::TestClient;

    #[test]
    fn a_model_reads_the_quotient_or_why_there_is_none() -> Result<(), Box<dyn Error>> {
        let mut client = TestClient::in_memory(&super::registry()?)?;
        assert_eq!(client.call_as::<f64>("divide", json!({"a": 84, "b": 2}))?, 42.0);
        let refusal = client.expect_error("divide", json!({"a": 84, "b": 0}))?;
        assert_eq!(refusal, "A number cannot be divided by zero.");
        Ok(())
    }
}
