//! The tools of the toy server. The test controls when they end and with which result.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};
use toolwright::mcp::protocol::Role;
use toolwright::{
    Annotations, Audio, Content, Context, EmbeddedResource, Icon, Image, Json, LoggingLevel,
    ResourceLink, Tool, ToolResult, data, tool, tools,
};

/// The state that the test and its tools share.
#[derive(Default)]
pub(super) struct Toys {
    /// The requests, by the JSON text of their ids, whose waiting tools may end.
    pub(super) ready: Mutex<HashSet<String>>,
    /// The contexts of tools that keep them.
    pub(super) kept: Mutex<Vec<Context>>,
    /// How many waiting tools have been dropped, or have ended.
    pub(super) dropped: AtomicUsize,
}

/// Counts when it is dropped.
struct Guard(Arc<Toys>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// Falls when it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        std::panic::resume_unwind(Box::new("dropped"))
    }
}

/// Add two numbers.
#[tool(read_only, idempotent, title = "Adder")]
async fn add(
    /// Left operand.
    a: f64,
    /// Right operand.
    b: f64,
) -> f64 {
    a + b
}

/// A point of the plane.
#[data]
struct Point {
    x: i32,
    y: i32,
}

#[tool]
async fn mirror(point: Point, label: Option<String>) -> Json<Point> {
    let _ = label;
    Json(Point { x: point.y, y: point.x })
}

#[tool]
pub(super) async fn squares(n: u32) -> Json<Vec<u32>> {
    Json((1..=n).map(|i| i * i).collect())
}

#[tool]
pub(super) async fn refuse(reason: &str) -> Result<String, String> {
    Err(reason.to_owned())
}

#[tool]
pub(super) async fn nothing() {}

#[tool]
async fn fall(how: &str) -> String {
    match how {
        "loud" => panic!("a {how} panic"),
        // Without a message on stderr, for a test that falls a thousand times.
        _ => std::panic::resume_unwind(Box::new(7)),
    }
}

#[tool]
async fn cling() {
    let _brittle = Brittle;
    std::future::pending().await
}

/// Falls when it is decoded.
#[derive(toolwright::JsonSchema)]
#[schemars(crate = "toolwright::__private::schemars")]
struct Bait;

impl<'de> toolwright::Deserialize<'de> for Bait {
    fn deserialize<D: serde::Deserializer<'de>>(bait: D) -> Result<Self, D::Error> {
        u32::deserialize(bait)?;
        std::panic::resume_unwind(Box::new("caught"))
    }
}

#[tool]
async fn trap(bait: Bait) {
    let _ = bait;
}

/// Takes anything.
#[tool]
async fn swallow(text: Option<String>, number: Option<f64>, value: Option<Value>) -> String {
    format!("{:?} {number:?} {}", text, value.is_some())
}

#[tool]
async fn show() -> Vec<Content> {
    let annotations = Annotations {
        audience: vec![Role::User, Role::Assistant],
        priority: Some(0.5),
        last_modified: None,
    };
    let mut image = Image::png([0xff; 4]);
    image.annotations = Some(annotations);
    image.meta.insert("example.com/a".into(), json!(null));
    let mut link = ResourceLink::new("file:///a.txt", "a.txt");
    link.size = Some(3);
    vec![
        Content::text("line\none \u{0}\"\\"),
        image.into(),
        Audio::wav([0; 3]).into(),
        link.into(),
        EmbeddedResource::text("file:///b.txt", "text/plain", "b").into(),
        EmbeddedResource::blob("file:///c.bin", "application/octet-stream", [1]).into(),
    ]
}

/// Structured content of any kind, without a schema.
fn echo() -> Tool {
    Tool::new("echo", "", json!({"type": "object"}), async |args: Value, _: Context| {
        ToolResult::structured(&args["value"]).map(|result| result.with_meta("example.com/b", 1))
    })
}

/// Says what the arguments list, and then waits if they say so.
fn speak(toys: &Arc<Toys>) -> Tool {
    let toys = toys.clone();
    Tool::new("speak", "", json!({"type": "object"}), move |args: Value, cx: Context| {
        let toys = toys.clone();
        async move {
            for done in args["progress"].as_array().into_iter().flatten() {
                cx.progress(done.as_f64().unwrap_or(f64::NAN), done.as_str().unwrap_or("so far"));
            }
            for level in args["log"].as_array().into_iter().flatten() {
                let level: LoggingLevel = serde_json::from_value(level.clone()).unwrap();
                cx.log(level, &args);
            }
            let id = cx.request_id().map(ToString::to_string).unwrap_or_default();
            toys.kept.lock().unwrap().push(cx);
            if args["wait"] == true {
                let _guard = Guard(toys.clone());
                std::future::poll_fn(|_| {
                    if toys.ready.lock().unwrap().remove(&id) {
                        Poll::Ready(())
                    } else {
                        Poll::Pending
                    }
                })
                .await;
            }
            "spoken"
        }
    })
    .with_timeout(Duration::from_secs(10))
}

/// Tells of its call.
fn whoami() -> Tool {
    Tool::new("whoami", "", r#"{"type": "object"}"#, async |_: Value, cx: Context| {
        let client = cx.client().map(|client| client.name.clone());
        Json(
            json!({"id": cx.request_id().map(ToString::to_string), "era": cx.protocol_version(), "client": client, "meta": cx.meta()}),
        )
    })
}

/// Has everything a listing can show.
fn dressed() -> Tool {
    Tool::new(
        "dressed",
        "In full dress.",
        r#"{"type":"object", "properties": {}, "x-mine":[1 , 2]}"#,
        async |_: Value, _: Context| Json(3),
    )
    .with_title("Dressed")
    .annotate(|hints| {
        hints.destructive_hint = Some(false);
        hints.open_world_hint = Some(true);
    })
    .with_icon(Icon::new("https://example.com/a.png").mime_type("image/png").size("48x48"))
    .with_meta("example.com/c", json!({"deep": null}))
    .with_output_schema(json!({"type": "integer"}))
}

pub(super) fn tools(toys: &Arc<Toys>) -> Vec<Tool> {
    let mut all =
        tools![add, mirror, squares, refuse, nothing, fall, cling, trap, swallow, show].to_vec();
    all.extend([echo(), speak(toys), whoami(), dressed()]);
    all
}

/// A tool that can come later.
pub(super) fn late() -> Tool {
    Tool::new(
        "late",
        "",
        json!({"type": "object"}),
        async |_: Value, _: Context| "better than never",
    )
}
