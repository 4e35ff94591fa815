//! Tests of tools: as functions, and as a model uses them. None starts a process or sleeps.
//! Run them with `cargo test --example 08_testing_tools`.

use toolwright::{BuildError, Context, ToolRegistry, tool, tools};

/// The average of some numbers.
#[tool(read_only)]
async fn average(numbers: &[f64], cx: &Context) -> Result<f64, &'static str> {
    cx.progress(0.5, "adding");
    let sum: f64 = numbers.iter().sum();
    if numbers.is_empty() { Err("No numbers.") } else { Ok(sum / numbers.len() as f64) }
}

/// Wait for news that never come.
#[tool]
async fn wait_for_news() {
    std::future::pending().await
}

fn registry() -> Result<ToolRegistry, BuildError> {
    ToolRegistry::builder("news").tools(tools![average, wait_for_news]).build()
}

fn main() -> std::process::ExitCode {
    toolwright_stdio::main(registry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright::{json, testing::TestClient};

    type Passes = Result<(), Box<dyn std::error::Error>>;

    #[tokio::test]
    async fn a_tool_is_a_function() {
        let cx = Context::detached();
        assert_eq!(average(&[1.0, 3.0], &cx).await, Ok(2.0));
        assert_eq!(cx.recorded().progress, [(0.5, 1.0, "adding")]);
    }
    #[test]
    fn a_model_reads_results_and_errors() -> Passes {
        let mut client = TestClient::in_memory(&registry()?)?;
        assert_eq!(client.call_as::<f64>("average", json!({"numbers": [1, 3]}))?, 2.0);
        assert_eq!(client.expect_error("average", json!({"numbers": []}))?, "No numbers.");
        let refused = client.expect_error("average", json!({"numbers": [1, "three"]}))?;
        assert!(refused.contains("/numbers/1: expected number"), "{refused}");
        Ok(())
    }
    #[test]
    fn a_call_can_be_cancelled() -> Passes {
        let mut client = TestClient::in_memory(&registry()?)?;
        let call = client.start_call("wait_for_news", ())?;
        Ok(client.cancel(call)?)
    }
    #[test] // UPDATE_EXPECT=1 accepts other names, descriptions and schemas.
    fn a_model_sees_these_tools() -> Passes {
        Ok(TestClient::in_memory(&registry()?)?.check_golden("08_testing_tools.json")?)
    }
}
