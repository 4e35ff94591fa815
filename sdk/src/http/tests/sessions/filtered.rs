//! Tools that are there for some sessions.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::super::scene::{Scene, frame, is_silent};
use super::{begin, call, is_changed, listen, post};
use crate::http::Sessions;
use crate::{Context, Tool};

#[derive(Default)]
struct Login {
    is_done: AtomicBool,
}

fn of(cx: &Context) -> &AtomicBool {
    &cx.extension::<Login>().unwrap().is_done
}

async fn tools(scene: &Scene, id: &str) -> usize {
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let answer: Value = serde_json::from_str(&scene.ask(post(id, &list)).await.1).unwrap();
    answer["result"]["tools"].as_array().unwrap().len()
}

#[tokio::test]
async fn tools_appear_for_the_session_that_has_logged_in() {
    let schema = json!({"type": "object"});
    let login = Tool::new("login", "", schema, async |_: Value, cx: Context| {
        of(&cx).store(true, Ordering::SeqCst);
        cx.tools_changed();
        "welcome"
    });
    let scene = Scene::of(
        |registry| {
            let registry = registry.tool(login).session_state(Login::default);
            registry.tool_filter(|tool, cx| tool.name() == "login" || of(cx).load(Ordering::SeqCst))
        },
        |options| options.sessions = Some(Sessions::default()),
    );
    let (id, other) = (begin(&scene).await, begin(&scene).await);
    let mut streams = [listen(&scene, &id).await, listen(&scene, &other).await];
    assert_eq!([tools(&scene, &id).await, tools(&scene, &other).await], [1, 1]);
    assert!(scene.ask(post(&id, &call(2, "echo"))).await.1.contains("Unknown tool: echo"));
    assert!(scene.ask(post(&id, &call(3, "login"))).await.1.contains("welcome"));
    assert!(is_changed(frame(&mut streams[0]).await));
    assert!(is_silent(&mut streams[1]));
    assert_eq!([tools(&scene, &id).await, tools(&scene, &other).await], [6, 1]);
    assert!(scene.ask(post(&id, &call(4, "echo"))).await.1.contains("hi"));
    scene.registry.tools_changed();
    for stream in &mut streams {
        assert!(is_changed(frame(stream).await));
    }
}
