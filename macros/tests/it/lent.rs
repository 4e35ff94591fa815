//! References inside of the types of parameters, and what lends them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toolwright::{Context, data, json, tool};

use super::{error, properties, property, text};

#[data]
#[derive(Debug, Clone)]
struct Point {
    x: u8,
}

type Text = str;

async fn pause() {
    let mut is_first = true;
    std::future::poll_fn(|_| match std::mem::take(&mut is_first) {
        true => std::task::Poll::Ready(()),
        false => std::task::Poll::Pending,
    })
    .await;
}

#[tool]
#[allow(clippy::too_many_arguments)]
async fn everything(
    option: Option<&str>,
    strs: &[&str],
    list: Vec<&str>,
    path: &Path,
    maybe_path: Option<&Path>,
    paths: &[&Path],
    numbers: Option<&[u8]>,
    points: &[&Point],
    point: Option<&Point>,
    alias: Option<&Text>,
    cow: Cow<'_, str>,
    maybe_cow: Option<Cow<'_, str>>,
    qualified: std::option::Option<&std::path::Path>,
    owned: &PathBuf,
    cx: &Context,
) -> String {
    pause().await;
    cx.progress(1.0, "done");
    format!(
        "{option:?} {strs:?} {list:?} {path:?} {maybe_path:?} {paths:?} {numbers:?} {points:?} \
         {point:?} {alias:?} {cow} {maybe_cow:?} {qualified:?} {owned:?}"
    )
}

#[test]
fn the_call_lends_what_is_inside_of_an_option_or_a_list() {
    let all = json!({
        "option": "a", "strs": ["b", "c"], "list": ["d"], "path": "/e", "maybe_path": "f",
        "paths": ["g"], "numbers": [1], "points": [{"x": 2}], "point": {"x": 3}, "alias": "h",
        "cow": "i", "maybe_cow": "j", "qualified": "k", "owned": "l",
    });
    assert_eq!(
        text(everything::tool(), all),
        "Some(\"a\") [\"b\", \"c\"] [\"d\"] \"/e\" Some(\"f\") [\"g\"] Some([1]) [Point { x: 2 }] \
         Some(Point { x: 3 }) Some(\"h\") i Some(\"j\") Some(\"k\") \"l\""
    );
    let least = json!({
        "strs": [], "list": [], "path": "", "paths": [], "points": [], "cow": "", "owned": "",
        "option": null,
    });
    assert_eq!(
        text(everything::tool(), least),
        "None [] [] \"\" None [] None [] None None  None None \"\""
    );
}

#[test]
fn their_schemas_are_those_of_what_the_call_owns() {
    let schema = |name| property(everything::tool(), name).to_string();
    for name in ["option", "path", "maybe_path", "alias", "cow", "maybe_cow", "qualified"] {
        assert_eq!(schema(name), r#"{"type":"string"}"#, "{name}");
    }
    for name in ["strs", "list", "paths"] {
        assert_eq!(schema(name), r#"{"type":"array","items":{"type":"string"}}"#, "{name}");
    }
    let wrong = error(everything::tool(), json!({"option": 1, "strs": "a", "point": {"x": 256}}));
    for problem in
        ["/option: expected string", "/strs: expected array", "/point/x: ", "/path: missing"]
    {
        assert!(wrong.contains(problem), "{problem}: {wrong}");
    }
}

#[tool]
fn on_a_thread(
    #[arg(rename = "name", min_length = 2, pattern = "^[a-z]+$")] option: Option<&str>,
    #[arg(min_length = 1)] strs: &[&str],
    #[arg(default = "/tmp")] path: &Path,
    #[arg(secret)] list: Vec<&str>,
) -> String {
    format!("{option:?} {strs:?} {path:?} {list:?}")
}

#[test]
fn they_keep_their_bounds() {
    assert_eq!(properties(on_a_thread::tool()), ["name", "strs", "path", "list"]);
    assert_eq!(
        text(on_a_thread::tool(), json!({"name": "ab", "strs": ["c"], "list": []})),
        "Some(\"ab\") [\"c\"] \"/tmp\" []"
    );
    let wrong = error(on_a_thread::tool(), json!({"name": "A", "strs": [], "list": ["S3CRET", 1]}));
    assert!(wrong.contains("/name: ") && wrong.contains("/strs: "), "{wrong}");
    assert!(!wrong.contains("S3CRET"), "{wrong}");
    assert_eq!(on_a_thread(None, &["a"], Path::new("b"), vec!["c"]), r#"None ["a"] "b" ["c"]"#);
}

#[tool]
#[allow(clippy::too_many_arguments)]
async fn many(
    a: u8,
    b: &str,
    c: Option<&str>,
    d: &[&str],
    #[arg(default = 4)] e: u8,
    f: Vec<u8>,
    g: BTreeMap<String, u8>,
    h: Option<bool>,
    i: f64,
    j: char,
    k: (u8, u8),
    l: [u8; 2],
    m: &[String],
    n: String,
    o: Option<Point>,
    p: &Point,
    q: Cow<'_, str>,
    r: i64,
    cx: Context,
) -> String {
    cx.progress(1.0, "done");
    format!(
        "{a}{b}{c:?}{d:?}{e}{f:?}{g:?}{h:?}{i}{j}{k:?}{l:?}{m:?}{n}{}{}{q}{r}",
        o.is_some(),
        p.x
    )
}

#[test]
fn a_function_may_take_many_arguments() {
    let all = json!({
        "a": 1, "b": "b", "d": ["d"], "f": [1], "g": {"g": 1}, "i": 1.5, "j": "j", "k": [1, 2],
        "l": [3, 4], "m": ["m"], "n": "n", "p": {"x": 9}, "q": "q", "r": -1,
    });
    assert_eq!(
        text(many::tool(), all),
        r#"1bNone["d"]4[1]{"g": 1}None1.5j(1, 2)[3, 4]["m"]nfalse9q-1"#
    );
    assert_eq!(error(many::tool(), json!({})).lines().count(), 15);
}
