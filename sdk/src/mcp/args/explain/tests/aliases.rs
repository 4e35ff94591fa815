//! Names under `alias`, which no schema has.

use std::collections::HashMap;

use toolwright::{data, tool};

use super::{is_taken, refused};

#[data]
enum Level {
    #[serde(alias = "low")]
    Low,
    High,
    #[serde(other)]
    Unknown,
}

#[data]
struct Around(Level);

#[data]
#[serde(untagged)]
enum Nothing {
    No,
    Level(Level),
    Levels(Vec<Level>),
}

#[data]
#[serde(tag = "t")]
enum Within {
    Deep(Deep),
}

#[data]
struct Deep {
    #[schemars(range(max = 9))]
    n: u8,
    level: Option<Level>,
    deeper: Option<Box<Deep>>,
    levels: Option<Vec<Within>>,
}

#[data]
struct Everywhere {
    map: HashMap<String, Level>,
    list: Vec<Option<Level>>,
    pair: (u8, Level),
    around: Vec<Option<Around>>,
    nothing: Option<Nothing>,
    within: Within,
    #[schemars(length(max = 4))]
    short: Level,
    #[schemars(extend("enum" = ["High"]))]
    fewer: Option<Level>,
    #[serde(flatten)]
    deep: Deep,
}

#[tool]
fn everywhere(of: Everywhere) -> usize {
    let Everywhere { map, list, pair, around, nothing, within, short, fewer, deep } = of;
    let nothing = match nothing {
        Some(Nothing::Levels(levels)) => levels.len(),
        Some(Nothing::Level(level)) => usize::from(matches!(level, Level::High)),
        Some(Nothing::No) | None => 0,
    };
    let Within::Deep(within) = within;
    let Deep { n, level, deeper, levels } = deep;
    drop((map, pair.1, fewer, level, deeper, levels, within.level));
    let around = around.into_iter().flatten().filter(|it| matches!(it.0, Level::Low)).count();
    list.len() + around + nothing + usize::from(n + pair.0 + within.n) + short as usize
}

/// The names of an enum are told from other lists wherever it stands.
#[test]
fn an_alias_is_taken_wherever_it_is() {
    let with = |change: &str, by: &str| {
        let of = r#"{"map":{"a":"low"},"list":["low",null],"pair":[1,"low"],
            "around":["low",null],"nothing":["low"],"short":"low","fewer":"High",
            "within":{"t":"Deep","n":1,"level":"low","levels":[{"t":"Deep","n":1,"level":"low"}]},
            "n":1,"level":"low","deeper":{"n":1,"level":"low","deeper":{"n":1,"level":"low"}}}"#;
        format!(r#"{{"of":{}}}"#, of.replacen(change, by, 1))
    };
    for (change, by) in
        [("", ""), (r#"["low"],"s"#, r#""low","s"#), (r#"["low"],"s"#, r#"null,"s"#)]
    {
        let arguments = with(change, by);
        assert!(is_taken(&everywhere::tool(), &arguments), "{arguments}");
    }
    for (change, by, problem) in [
        (r#""short":"low""#, r#""short":"other""#, "/short: expected at most 4 characters, got 5"),
        (r#""fewer":"High""#, r#""fewer":"Low""#, r#"/fewer: expected one of "High", got "Low""#),
        (r#""deeper":{"n":1"#, r#""deeper":{"n":10"#, "/deeper/n: expected 0 to 9, got 10"),
    ] {
        assert_eq!(
            refused(&everywhere::tool(), &with(change, by)),
            format!("Invalid arguments for `everywhere`:\n- /of{problem}")
        );
    }
}

#[data]
struct Inner {
    x: u8,
}

#[data]
struct Outer {
    #[serde(alias = "nm")]
    name: String,
    inner: Inner,
}

#[tool]
fn outer(of: Outer) -> String {
    of.name + &of.inner.x.to_string()
}

#[data]
#[serde(deny_unknown_fields)]
struct Counted {
    #[serde(alias = "nm")]
    name: String,
    n: u8,
}

#[tool]
fn beside(a: Inner, b: Counted) -> String {
    b.name + &(a.x + b.n).to_string()
}

/// A type that misses a member says so of one object. The others may have theirs under an alias.
#[test]
fn what_another_object_misses_makes_no_alias_missing() {
    for (tool, arguments, problems) in [
        (
            outer::tool(),
            r#"{"of":{"nm":"a","inner":{}}}"#,
            "- /of/inner/x: missing, expected integer",
        ),
        (
            beside::tool(),
            r#"{"a":{},"b":{"nm":"q","n":300}}"#,
            "- /a/x: missing, expected integer\n- /b/n: expected 0 to 255, got 300",
        ),
        (
            outer::tool(),
            r#"{"of":{"inner":{"x":1},"other":"a"}}"#,
            "- /of/name: missing, expected string",
        ),
    ] {
        let expected = format!("Invalid arguments for `{}`:\n{problems}", tool.name());
        assert_eq!(refused(&tool, arguments), expected, "{arguments}");
    }
}

#[data]
enum Mode {
    Low,
    #[serde(alias = "hi")]
    High,
    #[serde(untagged)]
    Level(#[schemars(range(max = 9))] u8),
}

#[data]
#[serde(tag = "kind")]
enum Sized {
    #[serde(alias = "round")]
    Circle {
        #[schemars(range(max = 9))]
        r: u8,
    },
    /// Without data.
    #[serde(alias = "nothing")]
    Point,
    #[serde(untagged)]
    Size(u8),
}

#[data]
#[serde(untagged)]
enum Plain {
    Word(#[schemars(extend("enum" = ["r", "w"]))] String),
    Number(u8),
}

#[tool]
fn mixed(mode: Option<Mode>, shape: Option<Sized>, plain: Option<Plain>) -> u8 {
    let mode = match mode {
        Some(Mode::High) => 1,
        Some(Mode::Level(level)) => level,
        Some(Mode::Low) | None => 0,
    };
    let shape = match shape {
        Some(Sized::Circle { r }) => r,
        Some(Sized::Size(size)) => size,
        Some(Sized::Point) | None => 0,
    };
    match plain {
        Some(Plain::Word(word)) => mode + shape + u8::from(word == "r"),
        Some(Plain::Number(number)) => mode + shape + number,
        None => mode + shape,
    }
}

#[test]
fn aliases_work_beside_an_untagged_variant() {
    for arguments in [
        r#"{"mode":"hi"}"#,
        r#"{"mode":"Low"}"#,
        r#"{"mode":9}"#,
        r#"{"shape":{"kind":"round","r":1}}"#,
        r#"{"shape":{"kind":"nothing"}}"#,
        r#"{"shape":200}"#,
        r#"{"plain":"w"}"#,
    ] {
        assert!(is_taken(&mixed::tool(), arguments), "{arguments}");
    }
    for (arguments, problem) in [
        (r#"{"mode":10}"#, "/mode: expected 0 to 9, got 10"),
        (r#"{"shape":{"kind":"Circle","r":10}}"#, "/shape/r: expected 0 to 9, got 10"),
        (r#"{"plain":"x"}"#, r#"/plain: expected one of "r", "w", got "x""#),
    ] {
        assert_eq!(
            refused(&mixed::tool(), arguments),
            format!("Invalid arguments for `mixed`:\n- {problem}")
        );
    }
}

#[tool]
fn open(#[schemars(extend("enum" = ["r", "w"]))] mode: String) {
    drop(mode);
}

#[data]
enum Severity {
    #[serde(alias = "minor")]
    Low,
    High,
}

#[tool]
fn log(#[schemars(length(max = 9))] level: Severity) {
    let _ = level;
}

#[test]
fn a_list_of_values_on_a_parameter_is_a_bound_and_the_names_of_an_enum_are_none() {
    let open = open::tool();
    assert!(is_taken(&open, r#"{"mode":"r"}"#));
    assert!(!is_taken(&open, r#"{"mode":"x"}"#));
    assert!(is_taken(&log::tool(), r#"{"level":"minor"}"#));
    assert!(!is_taken(&log::tool(), r#"{"level":"no"}"#));
}
