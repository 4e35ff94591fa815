//! `#[serde(…)]` and `#[schemars(…)]` on parameters.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use toolwright::{Tool, Value, json, tool, toolset};

use super::{error, property, read, text};

mod hex {
    use toolwright::__private::serde::{Deserializer, de::Error};
    use toolwright::Deserialize as _;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(D::Error::custom)
    }

    pub(super) fn maybe<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
        deserialize(from).map(Some)
    }
}

#[tool]
#[allow(clippy::too_many_arguments)]
async fn passed(
    #[serde(deserialize_with = "hex::deserialize")]
    #[schemars(with = "String")]
    color: u32,
    /// How long.
    #[serde(with = "toolwright::duration")]
    #[schemars(with = "toolwright::duration::Text")]
    #[arg(default = Duration::from_secs(5))]
    time: Duration,
    #[schemars(range(min = 1, max = 9), extend("x-unit" = "px"))] width: u8,
    #[schemars(length(max = 3))] name: &str,
    #[schemars(length(max = 1))] list: &[String],
    #[schemars(regex(pattern = "^/"))] path: &Path,
    #[schemars(range(max = 5))] level: Option<u8>,
    // With this key of serde an `Option` would be required.
    #[serde(deserialize_with = "hex::maybe")]
    #[schemars(with = "Option<String>")]
    #[arg(default = None)]
    border: Option<u32>,
    #[schemars(length(max = 2))]
    #[arg(rename = "kind", default = "ab", min_length = 1, secret)]
    r#type: String,
) -> String {
    format!(
        "{color:x} {time:?} {width} {name} {list:?} {path:?} {level:?} {border:x?} {type}",
        r#type = r#type
    )
}

/// Types that are called as one that has an owner of another name.
mod own {
    use toolwright::data;

    #[data]
    pub(super) struct Path {
        pub(super) steps: Vec<u8>,
    }

    pub(super) mod generic {
        #[toolwright::data]
        pub(crate) struct Path<T> {
            pub(crate) points: Vec<T>,
        }
    }
}

#[tool]
#[allow(clippy::ptr_arg, reason = "it is lent all the same")]
fn owned_by_the_call(
    #[schemars(extend("x" = 1))] path: &own::Path,
    #[schemars(extend("x" = 1))] value: own::Path,
    #[schemars(extend("x" = 2))] points: &own::generic::Path<f64>,
    #[schemars(length(max = 3))] text: Cow<'_, str>,
    #[schemars(length(max = 3))] lent: &Cow<'_, str>,
) -> String {
    format!("{:?} {:?} {:?} {text} {lent}", path.steps, value.steps, points.points)
}

#[test]
fn the_call_owns_what_is_lent_of_any_type() {
    let all = json!({
        "path": {"steps": [1]}, "value": {"steps": [2]}, "points": {"points": [0.5]}, "text": "a",
        "lent": "b",
    });
    assert_eq!(text(owned_by_the_call::tool(), all), "[1] [2] [0.5] a b");
    assert_eq!(property(owned_by_the_call::tool(), "lent")["maxLength"], 3);
}

fn required(tool: &Tool) -> Value {
    read(tool.input_schema().get())["required"].clone()
}

#[test]
fn they_are_read_by_the_two_derives() {
    let least = json!({"color": "ff", "width": 1, "name": "abc", "list": [], "path": "/"});
    assert_eq!(text(passed::tool(), least), r#"ff 5s 1 abc [] "/" None None ab"#);
    let all = json!({
        "color": "0", "time": "1.5s", "width": 9.0, "name": "", "list": ["a"], "path": "/a",
        "level": 5, "border": "f", "kind": "x",
    });
    assert_eq!(text(passed::tool(), all), r#"0 1.5s 9  ["a"] "/a" Some(5) Some(f) x"#);
    assert_eq!(required(&passed::tool()), json!(["color", "width", "name", "list", "path"]));
    let schema = |name| property(passed::tool(), name);
    assert_eq!(schema("color"), json!({"type": "string"}));
    assert_eq!(schema("time")["description"], "How long.");
    assert_eq!(schema("time")["type"], "string");
    // The hidden type has no `Serialize`, so only a literal is shown.
    assert_eq!(schema("time").get("default"), None);
    assert_eq!(
        schema("width"),
        json!({"type": "integer", "minimum": 1, "maximum": 9, "x-unit": "px"})
    );
    assert_eq!(schema("level"), json!({"type": "integer", "minimum": 0, "maximum": 5}));
    assert_eq!(
        schema("kind"),
        json!({
            "type": "string", "maxLength": 2, "minLength": 1, "default": "ab", "writeOnly": true,
        })
    );
}

#[test]
fn what_they_say_is_enforced() {
    let wrong = error(
        passed::tool(),
        json!({
            "color": "xyz", "time": 5, "width": 10, "name": "abcd", "list": ["a", "b"],
            "path": "a", "level": 6, "kind": "S3CRET",
        }),
    );
    for name in ["color", "time", "width", "name", "list", "path", "level", "kind"] {
        assert!(wrong.contains(&format!("- /{name}: ")), "{name}: {wrong}");
    }
    assert!(!wrong.contains("S3CRET"), "{wrong}");
}

struct Calendar;

#[toolset]
impl Calendar {
    #[tool]
    fn turn(
        &self,
        #[schemars(regex(pattern = r"^\d{4}-\d\d$"))] month: &str,
        #[schemars(title = "The user's angle", extend("x-unit" = "°", "x-as" = "0b9"))] by: u32,
        #[schemars(title = "Of Self::turn: C#")] _why: Option<String>,
    ) -> String {
        format!("{month} {by}")
    }
}

#[test]
fn the_texts_of_a_method_are_no_code() {
    let turn = || Tool::of_toolset(Calendar).remove(0);
    assert_eq!(property(turn(), "month")["pattern"], r"^\d{4}-\d\d$");
    assert_eq!(property(turn(), "by")["title"], "The user's angle");
    assert_eq!(text(turn(), json!({"month": "2026-11", "by": 90})), "2026-11 90");
}
