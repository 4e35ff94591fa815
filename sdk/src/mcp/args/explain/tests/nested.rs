//! Structs in arguments, structs as all arguments, and rules for fields in `#[schemars]`.

use expect_test::expect;
use toolwright::{Args, data, tool};

use super::{is_malformed, is_taken, refused};

#[data]
#[serde(rename_all = "lowercase")]
enum Op {
    Eq,
    Ne,
}

#[data]
#[serde(untagged)]
enum Operand {
    Text(String),
    Number(f64),
}

#[data]
struct Filter {
    field: String,
    op: Op,
    value: Option<Operand>,
}

#[data]
#[serde(deny_unknown_fields)]
struct Options {
    page: Option<u32>,
    strict: bool,
}

#[tool]
fn search(query: &str, filters: Option<Vec<Filter>>, options: Option<Options>) -> String {
    let filters = filters.unwrap_or_default();
    let equal = filters
        .iter()
        .filter(|filter| matches!(filter.op, Op::Eq))
        .map(|filter| filter.field.as_str());
    let operands = filters
        .iter()
        .filter(|filter| matches!(filter.value, Some(Operand::Text(_) | Operand::Number(_))))
        .count();
    let options = options.map(|options| (options.page, options.strict));
    format!("{query}{:?}{operands}{options:?}", equal.collect::<Vec<_>>())
}

#[test]
fn pointers_lead_to_the_innermost_value() {
    expect![[r#"
        Invalid arguments for `search`:
        - /filters/0/op: expected one of "eq", "ne", got string "gt""#]]
    .assert_eq(&refused(&search::tool(), r#"{"query":"x","filters":[{"field":"f","op":"gt"}]}"#));
    expect![[r#"
        Invalid arguments for `search`:
        - /filters/1/field: expected string, got number 1
        - /filters/1/op: missing, expected one of "eq", "ne"
        - /options/strict: expected boolean, got string "yes""#]]
    .assert_eq(&refused(&search::tool(), r#"{"query":"x","filters":[{"field":"f","op":"eq"},{"field":1}],"options":{"strict":"yes"}}"#));
    expect![[r#"
        Invalid arguments for `search`:
        - /filters/0/value: expected string or number, got array"#]]
    .assert_eq(&refused(
        &search::tool(),
        r#"{"query":"x","filters":[{"field":"f","op":"eq","value":[]}]}"#,
    ));
    expect![[r#"
        Invalid arguments for `search`:
        - /filters: expected array, got object
        - /options: expected object with `page` (integer, optional), `strict` (boolean), got array"#]]
    .assert_eq(&refused(&search::tool(), r#"{"query":"x","filters":{"field":"f"},"options":[]}"#));
}

#[test]
fn unknown_fields_are_named_where_a_type_refuses_them() {
    expect![[r#"
        Invalid arguments for `search`:
        - /options/pages: unknown, did you mean `page`?
        - /options/sort: unknown, known are `page`, `strict`"#]]
    .assert_eq(&refused(
        &search::tool(),
        r#"{"query":"x","options":{"strict":true,"pages":1,"sort":"up"}}"#,
    ));
    assert!(is_taken(
        &search::tool(),
        r#"{"query":"x","filters":[{"field":"f","op":"eq","note":"as serde does"}]}"#
    ));
}

#[test]
fn a_field_given_twice_is_told_in_serdes_words() {
    expect![[r#"
        Invalid arguments for `search`:
        - /options: duplicate field `strict`"#]]
    .assert_eq(&refused(
        &search::tool(),
        r#"{"query":"x","options":{"strict":true,"strict":true}}"#,
    ));
}

#[data]
struct Search {
    query: String,
    #[serde(default)]
    limit: u32,
    options: Option<Options>,
}

#[tool]
fn search_whole(Args(search): Args<Search>) -> String {
    format!(
        "{}{}{}",
        search.query,
        search.limit,
        search.options.is_some_and(|options| options.strict)
    )
}

#[test]
fn all_arguments_as_one_struct_are_refused_alike() {
    assert!(is_taken(&search_whole::tool(), r#"{"query":"x"}"#));
    assert!(is_malformed(&search_whole::tool(), r#"{"query":x}"#));
    expect![[r#"
        Invalid arguments for `search_whole`:
        - /query: missing, expected string"#]]
    .assert_eq(&refused(&search_whole::tool(), "{}"));
    expect![[r#"
        Invalid arguments for `search_whole`:
        - /query: expected string, got number 1
        - /limit: expected 0 to 4294967295, got -1
        - /options/pages: unknown, did you mean `page`?
        - /options/strict: missing, expected boolean"#]]
    .assert_eq(&refused(&search_whole::tool(), r#"{"query":1,"limit":-1,"options":{"pages":2}}"#));
    expect![[r#"
        Invalid arguments for `search_whole`:
        - duplicate field `query`"#]]
    .assert_eq(&refused(&search_whole::tool(), r#"{"query":"x","query":"y"}"#));
    expect![[r#"
        Invalid arguments for `search_whole`:
        - /limit: expected integer, got null"#]]
    .assert_eq(&refused(&search_whole::tool(), r#"{"query":"x","limit":null}"#));
}

#[data]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[tool]
fn area(shape: Shape) -> f64 {
    match shape {
        Shape::Circle { radius } => radius * radius * 3.0,
        Shape::Square { side } => side * side,
    }
}

#[test]
fn the_nearest_branch_of_an_enum_words_the_problem() {
    expect![[r#"
        Invalid arguments for `area`:
        - /shape/radius: expected number, got string "big""#]]
    .assert_eq(&refused(&area::tool(), r#"{"shape":{"kind":"circle","radius":"big"}}"#));
    expect![[r#"
        Invalid arguments for `area`:
        - /shape/side: missing, expected number"#]]
    .assert_eq(&refused(&area::tool(), r#"{"shape":{"kind":"square"}}"#));
    expect![[r#"
        Invalid arguments for `area`:
        - /shape/kind: expected "circle" or "square", got string "triangle""#]]
    .assert_eq(&refused(&area::tool(), r#"{"shape":{"kind":"triangle","side":1}}"#));
    expect![[r#"
        Invalid arguments for `area`:
        - /shape/kind: missing, expected "circle" or "square""#]]
    .assert_eq(&refused(&area::tool(), r#"{"shape":{"side":1}}"#));
    expect![[r#"
        Invalid arguments for `area`:
        - /shape: expected object with `kind`, `radius` or object with `kind`, `side`, got string "circle""#]]
    .assert_eq(&refused(&area::tool(), r#"{"shape":"circle"}"#));
}

#[data]
enum Action {
    /// Does nothing.
    Stop,
    Wait(u8),
    Move {
        by: i32,
    },
}

#[data]
#[serde(untagged)]
enum Place {
    Named { name: String },
    At { x: f64, y: f64 },
    Index(u32),
}

#[tool]
fn act(action: Action, place: Option<Place>) -> String {
    let action = match action {
        Action::Stop => 0,
        Action::Wait(seconds) => i32::from(seconds),
        Action::Move { by } => by,
    };
    let place = match place {
        Some(Place::Named { name }) => name,
        Some(Place::At { x, y }) => format!("{x}{y}"),
        Some(Place::Index(index)) => index.to_string(),
        None => String::new(),
    };
    format!("{action}{place}")
}

#[test]
fn a_variant_that_is_named_by_a_key_is_found_by_it() {
    expect![[r#"
        Invalid arguments for `act`:
        - /action/Move/by: expected integer, got string "far""#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":{"Move":{"by":"far"}}}"#));
    expect![[r#"
        Invalid arguments for `act`:
        - /action/Wait: expected 0 to 255, got 300"#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":{"Wait":300}}"#));
    expect![[r#"
        Invalid arguments for `act`:
        - /action: expected "Stop" or object with `Wait` or object with `Move`, got object"#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":{"Jump":{}}}"#));
    expect![[r#"
        Invalid arguments for `act`:
        - /action: expected "Stop" or object with `Wait` or object with `Move`, got string "Jump""#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":"Jump"}"#));
}

#[test]
fn of_variants_without_a_name_the_nearest_one_words_the_problem() {
    expect![[r#"
        Invalid arguments for `act`:
        - /place/y: expected number, got string "2": write 2 without quotes"#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":"Stop","place":{"x":1,"y":"2"}}"#));
    expect![[r#"
        Invalid arguments for `act`:
        - /place: expected object with `name` or object with `x`, `y` or integer, got string "here""#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":"Stop","place":"here"}"#));
    expect![[r#"
        Invalid arguments for `act`:
        - /place: expected 0 to 4294967295, got -1"#]]
    .assert_eq(&refused(&act::tool(), r#"{"action":"Stop","place":-1}"#));
}

#[data]
struct Limits {
    #[schemars(range(min = 0, max = 100))]
    percent: i32,
    #[schemars(range(min = 0))]
    count: i64,
    #[schemars(range(max = 255))]
    level: Option<u16>,
    #[schemars(range(min = 0.5, max = 1.0))]
    share: Option<f64>,
    #[schemars(length(min = 1, max = 3))]
    code: Option<String>,
    #[schemars(length(min = 1))]
    list: Option<Vec<u8>>,
}

#[tool]
fn limited(limits: Limits, more: Option<Vec<Limits>>) -> String {
    let Limits { percent, count, level, share, code, list } = limits;
    format!(
        "{percent}{count}{level:?}{share:?}{code:?}{list:?}{}",
        more.map_or(0, |more| more.len())
    )
}

#[tool]
fn limited_whole(Args(limits): Args<Limits>) -> i32 {
    limits.percent
}

#[test]
fn constraints_on_fields_are_enforced() {
    assert!(is_taken(
        &limited::tool(),
        r#"{"limits":{"percent":100,"count":0,"level":255,"share":1,"code":"äöü","list":[1]}}"#
    ));
    expect![[r#"
        Invalid arguments for `limited`:
        - /limits/percent: expected 0 to 100, got 101
        - /limits/count: expected at least 0, got -1
        - /limits/level: expected 0 to 255, got 256
        - /limits/share: expected 0.5 to 1.0, got 0
        - /limits/code: expected at least 1 character, got 0
        - /limits/list: expected at least 1 item, got 0
        - /more/0/percent: expected 0 to 100, got -1
        - /more/0/code: expected at most 3 characters, got 4"#]].assert_eq(&refused(
        &limited::tool(),
        r#"{"limits":{"percent":101,"count":-1,"level":256,"share":0,"code":"","list":[]},"more":[{"percent":-1,"count":0,"code":"long"}]}"#,
    ));
    expect![[r#"
        Invalid arguments for `limited_whole`:
        - /percent: expected 0 to 100, got -1
        - /count: expected at least 0, got -1"#]]
    .assert_eq(&refused(&limited_whole::tool(), r#"{"percent":-1,"count":-1}"#));
}

#[test]
fn a_single_constraint_is_enough() {
    #[data]
    struct OnlyCount {
        #[schemars(range(min = 0))]
        count: i64,
    }
    #[data]
    struct OnlyLevel {
        #[schemars(range(max = 255))]
        level: u32,
    }
    #[tool]
    fn count(of: OnlyCount) -> i64 {
        of.count
    }
    #[tool]
    fn level(of: OnlyLevel) -> u32 {
        of.level
    }
    expect![[r#"
        Invalid arguments for `count`:
        - /of/count: expected at least 0, got -1"#]]
    .assert_eq(&refused(&count::tool(), r#"{"of":{"count":-1}}"#));
    expect![[r#"
        Invalid arguments for `level`:
        - /of/level: expected 0 to 255, got 256"#]]
    .assert_eq(&refused(&level::tool(), r#"{"of":{"level":256}}"#));
}

#[test]
fn bounds_before_a_refused_part_are_named_in_the_same_answer() {
    #[data]
    struct Part {
        #[schemars(range(min = 1, max = 5))]
        x: u8,
        z: u8,
    }
    #[tool]
    fn one(p: Part) -> u8 {
        p.x + p.z
    }
    #[tool]
    fn all(p: Vec<Part>) -> usize {
        p.len()
    }
    for arguments in [r#"{"p":{"x":9,"z":"q"}}"#, r#"{"p":{"z":"q","x":9}}"#] {
        let said = refused(&one::tool(), arguments);
        assert!(said.contains("\n- /p/x: expected 1 to 5, got 9"), "{said}");
        assert!(said.contains("\n- /p/z: expected integer, got string \"q\""), "{said}");
        assert_eq!(said.lines().count(), 3, "{said}");
    }
    expect![[r#"
        Invalid arguments for `all`:
        - /p/1/z: expected integer, got string "q"
        - /p/0/x: expected 1 to 5, got 9
        - /p/1/x: expected 1 to 5, got 8"#]]
    .assert_eq(&refused(&all::tool(), r#"{"p":[{"x":9,"z":1},{"x":8,"z":"q"}]}"#));
}
