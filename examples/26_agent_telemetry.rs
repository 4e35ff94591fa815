//! The spans of an agent run, in a trace that began elsewhere and that the CLI gets too.
//!
//! Run with `cargo run --example 26_agent_telemetry`.

use std::{collections::HashMap, error::Error};

use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{SpanId, TracerProvider};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use toolwright::agent::{AgentOptions, Permission, query_with};
use toolwright::{ToolRegistry, json, testing::ScriptedCli, tool, tools};
use tracing::{Instrument, info_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::prelude::*;

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Shows the spans below one, with what they used or decided.
fn show(spans: &[SpanData], parent: SpanId, depth: usize) {
    for span in spans.iter().filter(|span| span.parent_span_id == parent) {
        let is_shown = |key: &str| key.starts_with("gen_ai.usage") || key.ends_with("behavior");
        let facts = span.attributes.iter().filter(|fact| is_shown(fact.key.as_str()));
        let facts: String = facts.map(|fact| format!(" {}={}", fact.key, fact.value)).collect();
        println!("{:depth$}{}{facts}", "", span.name);
        show(spans, span.span_context.span_id(), depth + 2);
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A real program exports its spans over the network, by opentelemetry-otlp.
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let exports = tracing_opentelemetry::layer().with_tracer(provider.tracer("agent"));
    tracing_subscriber::registry().with(exports).init();
    let caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01".to_owned();
    let (w3c, request) = (TraceContextPropagator::new(), info_span!("request"));
    request.set_parent(w3c.extract(&HashMap::from([("traceparent".to_owned(), caller)])))?;
    let mut headers = HashMap::new();
    w3c.inject_context(&request.context(), &mut headers);
    println!("The CLI gets the trace {}", &headers["traceparent"][3..35]);
    let options = AgentOptions::builder()
        .trace_context(&headers["traceparent"], "")
        .mcp_server(ToolRegistry::builder("calc").tools(tools![add]).build()?)
        .can_use_tool(async |_| Permission::allow());
    let call = json!({"a": 2, "b": 40});
    let cli = ScriptedCli::new().turn(|turn| turn.call("mcp__calc__add", call).say_result());
    let run = query_with(cli, "What is 2 + 40?", options.build()?).instrument(request).await?;
    run.finish().await?;
    let mut spans = exporter.get_finished_spans()?;
    spans.sort_by_key(|span| span.start_time);
    show(&spans, SpanId::from_hex("b7ad6b7169203331")?, 0);
    Ok(())
}
