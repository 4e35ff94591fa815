//! Layers around every call, and the spans of the calls in the trace of the client.
//!
//! Run with `cargo run --example 06_layers_and_telemetry`.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider};
use toolwright::testing::TestClient;
use toolwright::{Next, ToolCall, ToolRegistry, ToolResult, Value, json, tool, tools};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::prelude::*;

/// Divide two numbers.
#[tool(read_only, idempotent)]
async fn divide(a: f64, b: f64) -> Result<f64, &'static str> {
    if b == 0.0 { Err("no number is divided by zero") } else { Ok(a / b) }
}

fn main() -> Result<(), Box<dyn Error>> {
    // A real program exports its spans over the network, by opentelemetry-otlp.
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let exports = tracing_opentelemetry::layer().with_tracer(provider.tracer("calc"));
    tracing_subscriber::registry().with(exports).init();
    let failed = Arc::new(AtomicU32::new(0));
    let counted = failed.clone();
    let count = async move |call: ToolCall, next: Next| {
        let result = next.run(call).await;
        counted.fetch_add(result.is_error.into(), Ordering::Relaxed);
        result
    };
    let allow = async |call: ToolCall, next: Next| match call.annotations().read_only_hint {
        Some(true) => next.run(call).await,
        _ => ToolResult::error("only tools that read are allowed"),
    };
    let builder = ToolRegistry::builder("calc").tools(tools![divide]).layer(count).layer(allow);
    // The client says in `_meta` which span of its own has caused the call.
    let builder = builder.parent(|span, meta| {
        let parent = meta.get("traceparent").and_then(Value::as_str).unwrap_or_default();
        let headers = HashMap::from([("traceparent".to_owned(), parent.to_owned())]);
        let _ = span.set_parent(TraceContextPropagator::new().extract(&headers));
    });
    let mut client = TestClient::in_memory(&builder.build()?)?;
    let trace = json!({"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
    for b in [4, 0] {
        let call = json!({"name": "divide", "arguments": {"a": 1, "b": b}, "_meta": trace});
        client.request("tools/call", call)?;
    }
    println!("{} of the calls failed", failed.load(Ordering::Relaxed));
    for span in exporter.get_finished_spans()? {
        println!("{} in trace {}: {:?}", span.name, span.span_context.trace_id(), span.status);
    }
    Ok(())
}
