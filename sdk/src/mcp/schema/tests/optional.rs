//! An optional property is one that may be absent.

use std::collections::BTreeMap;

use expect_test::expect;
use toolwright::{ToolRegistry, data, json, tool, tools};

use super::{input, input_properties};

#[data]
struct Page {
    offset: u32,
}

#[data]
#[derive(Clone)]
#[serde(rename_all = "lowercase")]
enum Order {
    Up,
    Down,
}

#[data]
enum Documented {
    /// The first.
    First,
    /// The second.
    Second,
}

type Nullable<T> = Option<T>;

#[tool]
#[expect(clippy::too_many_arguments, clippy::boxed_local, reason = "one of every type")]
fn optional(
    scalar: Option<i32>,
    text: Option<String>,
    by_alias: Nullable<bool>,
    twice: Option<Option<u8>>,
    list: Option<Vec<u8>>,
    /// The parameter's words.
    page: Option<Page>,
    order: Option<Order>,
    documented: Option<Documented>,
    boxed: Box<Option<Page>>,
    by_ref: &Option<String>,
) -> String {
    let order = order.map(|order| matches!(order, Order::Up | Order::Down));
    let documented =
        documented.map(|documented| matches!(documented, Documented::First | Documented::Second));
    let offsets = (page.map(|page| page.offset), boxed.map(|page| page.offset));
    format!(
        "{scalar:?}{text:?}{by_alias:?}{twice:?}{list:?}{order:?}{documented:?}{offsets:?}{by_ref:?}"
    )
}

#[test]
fn optional_parameters_are_absent_and_never_null() {
    expect![[r#"
        scalar {"type":"integer","minimum":-2147483648,"maximum":2147483647}
        text {"type":"string"}
        by_alias {"type":"boolean"}
        twice {"type":"integer","minimum":0,"maximum":255}
        list {"type":"array","items":{"type":"integer","minimum":0,"maximum":255}}
        page {"description":"The parameter's words.","type":"object","properties":{"offset":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["offset"]}
        order {"type":"string","enum":["up","down"]}
        documented {"oneOf":[{"type":"string","const":"First","description":"The first."},{"type":"string","const":"Second","description":"The second."}]}
        boxed {"type":"object","properties":{"offset":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["offset"]}
        by_ref {"type":"string"}
    "#]].assert_eq(&input_properties(&optional::tool()));
    assert_eq!(input(&optional::tool()).get("required"), None);
}

#[data]
struct Deep {
    page: Option<Page>,
    list: Vec<Option<Page>>,
    #[serde(default)]
    order: Option<Order>,
}

#[tool]
fn nullable_inside(
    list: Vec<Option<u8>>,
    map: BTreeMap<String, Option<u8>>,
    pair: (Option<u8>, Option<String>),
    deep: Deep,
) -> String {
    let offsets: Vec<_> =
        deep.list.iter().chain([&deep.page]).flatten().map(|page| page.offset).collect();
    format!("{list:?}{map:?}{pair:?}{offsets:?}{}", deep.order.is_some())
}

#[test]
fn null_stays_in_items_map_values_and_tuples() {
    expect![[r#"
        list {"type":"array","items":{"type":["integer","null"],"minimum":0,"maximum":255}}
        map {"type":"object","additionalProperties":{"type":["integer","null"],"minimum":0,"maximum":255}}
        pair {"type":"array","prefixItems":[{"type":["integer","null"],"minimum":0,"maximum":255},{"type":["string","null"]}],"minItems":2,"maxItems":2}
        deep {"type":"object","properties":{"page":{"type":"object","properties":{"offset":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["offset"]},"list":{"type":"array","items":{"type":["object","null"],"properties":{"offset":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["offset"]}},"order":{"type":"string","enum":["up","down"]}},"required":["list"]}
    "#]].assert_eq(&input_properties(&nullable_inside::tool()));
}

#[data]
#[derive(Clone, Default)]
struct Search {
    order: Option<Order>,
    words: Vec<String>,
    #[serde(default)]
    within: Within,
}

#[data]
#[derive(Clone, Default)]
struct Within {
    folder: Option<String>,
    deep: bool,
}

#[tool]
fn with_defaults(
    #[arg(default)] search: Search,
    #[arg(default = vec![Within::default()])] folders: Vec<Within>,
) -> usize {
    let deep = folders.iter().filter(|within| within.deep || within.folder.is_some()).count();
    deep + search.words.len() + usize::from(search.order.is_some() || search.within.deep)
}

#[test]
fn defaults_have_no_null_that_their_schema_refuses() {
    let properties = input(&with_defaults::tool())["properties"].clone();
    assert_eq!(properties["search"]["default"], json!({"words": [], "within": {"deep": false}}));
    let within = &properties["search"]["properties"]["within"];
    assert_eq!(within["default"], json!({"deep": false}));
    assert_eq!(properties["folders"]["default"], json!([{"deep": false}]));
}

fn ten() -> Option<u32> {
    Some(10)
}

#[data]
#[derive(Clone, Default)]
struct Cut {
    #[serde(default = "ten")]
    most: Option<u32>,
    #[serde(default)]
    least: Option<u32>,
}

#[tool]
fn with_another_default(#[arg(default)] cut: Cut) -> u32 {
    cut.most.unwrap_or_default() + cut.least.unwrap_or_default()
}

/// Without it the value would be another one.
#[test]
fn null_stays_in_a_default_where_the_property_has_one_of_its_own() {
    let properties = input(&with_another_default::tool())["properties"].clone();
    assert_eq!(properties["cut"]["default"], json!({"most": null}));
    assert_eq!(properties["cut"]["properties"]["most"]["default"], 10);
    let read = |arguments: &str| serde_json::from_str::<Cut>(arguments).unwrap().most;
    assert_eq!((read(r#"{"most":null}"#), read("{}")), (Cut::default().most, Some(10)));
}

#[data]
#[derive(Clone)]
enum Mode {
    Off,
    On { level: Option<u8>, within: (Within, Option<u8>) },
}

impl Default for Mode {
    fn default() -> Self {
        Self::On { level: None, within: Default::default() }
    }
}

#[data]
#[derive(Clone, Default)]
#[serde(tag = "kind")]
enum Tagged {
    Plain {
        level: u8,
        name: Option<String>,
    },
    #[default]
    Empty,
}

#[data]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default)]
    mode: Mode,
    #[serde(default)]
    maybe: Option<Mode>,
    #[serde(default = "plain")]
    tagged: Vec<Tagged>,
    #[serde(default = "by_name")]
    by_name: BTreeMap<String, Within>,
    #[serde(default = "nothing")]
    nothing: BTreeMap<String, Option<u8>>,
    #[serde(default)]
    flat: Flat,
}

#[data]
#[derive(Clone, Default)]
struct Flat {
    name: Option<String>,
    count: u8,
    #[serde(flatten)]
    mode: Mode,
}

fn plain() -> Vec<Tagged> {
    vec![Tagged::Plain { level: 1, name: None }, Tagged::Empty]
}

fn by_name() -> BTreeMap<String, Within> {
    [("a".to_owned(), Within::default())].into()
}

fn nothing() -> BTreeMap<String, Option<u8>> {
    [("a".to_owned(), None)].into()
}

#[tool]
fn settings(settings: Settings) -> String {
    let mode = match settings.mode {
        Mode::Off => None,
        Mode::On { level, within } => level.or(within.1),
    };
    let tagged = settings.tagged.into_iter().map(|tagged| match tagged {
        Tagged::Plain { level, name } => format!("{level}{name:?}"),
        Tagged::Empty => String::new(),
    });
    let flat = settings.flat;
    let is_on = matches!(flat.mode, Mode::On { .. }) || flat.name.is_some() || flat.count > 0;
    let counts = (settings.by_name.len(), settings.nothing.len(), is_on);
    format!("{mode:?}{counts:?}{}{}", settings.maybe.is_some(), tagged.collect::<String>())
}

#[test]
fn defaults_of_enums_maps_and_tuples_have_no_such_null_either() {
    let properties = input(&settings::tool())["properties"]["settings"]["properties"].clone();
    let on = json!({"On": {"within": [{"deep": false}, null]}});
    assert_eq!(properties["mode"]["default"], on);
    let plain = json!([{"kind": "Plain", "level": 1}, {"kind": "Empty"}]);
    assert_eq!(properties["tagged"]["default"], plain);
    assert_eq!(properties["by_name"]["default"], json!({"a": {"deep": false}}));
    assert_eq!(properties["nothing"]["default"], json!({"a": null}));
    let flat = json!({"count": 0, "On": {"within": [{"deep": false}, null]}});
    assert_eq!(properties["flat"]["default"], flat);
    let registry = ToolRegistry::builder("toy").tools(tools![settings]).build().unwrap();
    let findings: Vec<_> = registry.lint().iter().map(ToString::to_string).collect();
    assert!(!findings.iter().any(|it| it.contains("default-outside")), "{findings:#?}");
}

const TENTH: f32 = 0.1;

#[data]
struct Share {
    #[serde(default)]
    part: Part,
}

#[data]
struct Part(f32);

impl Default for Part {
    fn default() -> Self {
        Self(TENTH)
    }
}

#[tool]
fn part(#[arg(default = TENTH, max = 0.1)] x: f32, share: Share) {
    let _ = (x, share);
}

#[test]
fn a_default_of_32_bits_is_shown_with_its_own_digits() {
    let tools = ToolRegistry::builder("t").tools(tools![part]);
    assert!(tools.build().is_ok());
    let schema = part::tool().input_schema().get().to_owned();
    let shown = schema.matches(r#""default":0.1"#).count();
    assert!(shown == 2 && !schema.contains("0.10"), "{schema}");
}
