//! `docs/WATCHING.md` names each span of a run, and each of its attributes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use toolwright::agent::{
    AgentOptions, HookMatcher, HookOutput, Permission, PermissionRequest, query_with,
};
use toolwright::testing::ScriptedCli;
use toolwright::{ToolRegistry, json, tool, tools};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::NoSubscriber;
use tracing::{Dispatch, Event, Metadata, Subscriber};

/// The attributes of spans, by the names of the spans.
type Spans = BTreeMap<String, BTreeSet<String>>;

/// Takes note of each span with all its attributes.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Spans>>);

impl Subscriber for Notes {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target().starts_with("toolwright")
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let metadata = span.metadata();
        // They are the exporter's: no attributes, but the span's own name, kind and status.
        let fields = metadata.fields().iter().map(|field| field.name().to_owned());
        let fields = fields.filter(|name| !name.starts_with("otel."));
        self.0.lock().unwrap().insert(metadata.name().to_owned(), fields.collect());
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Add two numbers.
#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// The spans of a run that has one of each kind.
async fn opened() -> Spans {
    // While there is only one subscriber, `tracing` asks that of the current thread whether a new
    // span is wanted, and remembers the answer: another test may be the first to open the span.
    let _another = Dispatch::new(NoSubscriber::default());
    let notes = Notes::default();
    let guard = tracing::subscriber::set_default(notes.clone());
    let registry = ToolRegistry::builder("calc").tools(tools![add]).build().unwrap();
    let options = AgentOptions::builder()
        .mcp_server(registry)
        .hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default())
        .can_use_tool(async |_: PermissionRequest| Permission::allow());
    let cli = ScriptedCli::new().turn(|turn| turn.call("mcp__calc__add", json!({"a": 2, "b": 40})));
    let run = query_with(cli, "What is 2 + 40?", options.build().unwrap()).await.unwrap();
    run.finish().await.unwrap();
    drop(guard);
    let spans = notes.0.lock().unwrap();
    spans.clone()
}

/// Those of the page: below the heading of a span, each row of the table is an attribute.
fn documented() -> Spans {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/WATCHING.md");
    let page = fs::read_to_string(page).unwrap();
    let name = |rest: &str| rest.split('`').next().unwrap().to_owned();
    let sections = page.split("\n### `").skip(1);
    sections
        .map(|section| {
            let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
            (name(section), rows.map(name).collect())
        })
        .collect()
}

#[tokio::test]
async fn the_page_names_each_span_and_each_attribute() {
    assert_eq!(documented(), opened().await);
}
