use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use serde_json::{Map, Value, json};
use toolwright::{
    Args, Context, Json, Prompt, PromptArgument, Resource, TaskSupport, Tool, ToolRegistry, data,
    prompt, prompts, tool, tools,
};

use super::{Finding, Rule};

/// A tool by hand without any finding, but for those of its schema.
fn by_hand(name: &str, schema: Value) -> Tool {
    Tool::new(name.to_owned(), "Does something.", schema, async |_: Value, _: Context| "done")
        .annotate(|hints| hints.read_only_hint = Some(true))
}

fn good(name: &str) -> Tool {
    by_hand(name, arguments(json!({})))
}

/// A closed object with these properties.
fn arguments(properties: Value) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// A tool whose argument has this schema.
fn argument(name: &str, mut schema: Value) -> Tool {
    schema["description"] = "What it means.".into();
    by_hand(name, arguments(json!({"it": schema})))
}

fn with(mut schema: Value, keyword: &str, value: Value) -> Value {
    schema[keyword] = value;
    schema
}

/// Objects inside of objects: so many levels.
fn nested(levels: usize) -> Value {
    match levels {
        0 => json!({"type": "integer"}),
        _ => json!({"type": "object", "properties": {"below": nested(levels - 1)}}),
    }
}

fn lint(tools: impl IntoIterator<Item = Tool>) -> Vec<Finding> {
    ToolRegistry::builder("bad").tools(tools).build().unwrap().lint()
}

fn shown(tools: impl IntoIterator<Item = Tool>, expected: Expect) {
    expected
        .assert_eq(&lint(tools).iter().map(|finding| format!("{finding}\n")).collect::<String>());
}

/// One tool for each rule.
fn bad_tools() -> Vec<Tool> {
    let choices: Vec<_> = (0..101).map(|number| number.to_string()).collect();
    let tree = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}});
    let recursive = json!({"it": {"description": "A tree.", "$ref": "#/$defs/tree"}});
    let shared = json!({"it": {"description": "A number.", "$ref": "#/$defs/number"}});
    vec![
        good("dotted.name"),
        good(&"n".repeat(41)),
        good(&"p".repeat(56)),
        good("same_name"),
        good("same-Name"),
        Tool::new("silent", "", arguments(json!({})), async |_: Value, _: Context| "done")
            .annotate(|hints| hints.read_only_hint = Some(true)),
        Tool::new(
            "talkative",
            "x".repeat(2049),
            arguments(json!({})),
            async |_: Value, _: Context| "done",
        )
        .annotate(|hints| hints.destructive_hint = Some(false)),
        good("unhinted").annotate(|hints| hints.read_only_hint = None),
        good("contradicting").annotate(|hints| hints.destructive_hint = Some(true)),
        good("endless").annotate(|hints| hints.open_world_hint = Some(true)),
        by_hand("combined", with(arguments(json!({})), "anyOf", json!([{}, {}]))),
        by_hand("odd_key", arguments(json!({"a b": {"type": "string", "description": "x"}}))),
        by_hand("undescribed", arguments(json!({"it": {"type": "string"}}))),
        by_hand("open", json!({"type": "object"})),
        by_hand("old", with(arguments(json!({})), "definitions", json!({}))),
        by_hand(
            "referring",
            with(arguments(shared), "$defs", json!({"number": {"type": "number"}})),
        ),
        by_hand("recursive", with(arguments(recursive), "$defs", json!({"tree": tree}))),
        argument("odd_format", json!({"type": "integer", "format": "uint32"})),
        argument("unchecked", json!({"type": "string", "pattern": "^(?!-)"})),
        argument("nullable", json!({"type": ["string", "null"]})),
        argument("boolean", json!({"type": "array", "items": true})),
        argument("outside", json!({"type": "integer", "maximum": 9, "default": 10})),
        argument("open_secret", json!({"type": "string", "writeOnly": true, "default": "1234"})),
        argument("choosy", json!({"enum": choices})),
        argument("deep", nested(5)),
        argument("timed", json!({"type": "object", "properties": {"secs": {}, "nanos": {}}})),
    ]
}

fn by_hand_prompt(name: &'static str, arguments: Vec<PromptArgument>) -> Prompt {
    Prompt::new(name, "Says something.", arguments, async |_, _| "Hello")
}

fn resource(uri: &'static str) -> Resource {
    Resource::new(uri, "thing", "Some thing.", async |_, _| "text")
}

/// One prompt for each rule.
fn bad_prompts() -> [Prompt; 4] {
    let required = |name| PromptArgument::required(name, "");
    let late = vec![PromptArgument::optional("first", ""), required("last")];
    [
        Prompt::new("silent", "", [], async |_, _| "Hello"),
        by_hand_prompt("odd_name", vec![required("a b")]),
        by_hand_prompt("disordered", late).complete("first", |_, _| ["one", "two"]),
        by_hand_prompt("wordy", vec![required("text"), required("more")]),
    ]
}

/// One resource for each rule; the last two are for one.
fn bad_resources() -> [Resource; 4] {
    [
        Resource::new("toy://silent", "silent", "", async |_, _| "text"),
        resource("https://example.com/"),
        resource("toy://{+path}"),
        resource("toy://things/{id}{?page}"),
    ]
}

#[test]
fn each_rule_is_reported_once_on_a_registry_that_breaks_each_once() {
    let registry = ToolRegistry::builder("b.d").instructions("x".repeat(2049)).tools(bad_tools());
    let registry = registry.prompts(bad_prompts()).resources(bad_resources());
    let findings = registry.build().unwrap().lint();
    let mut counts: BTreeMap<&str, usize> = Rule::ALL.iter().map(|rule| (rule.name(), 0)).collect();
    for finding in &findings {
        *counts.get_mut(finding.rule.name()).unwrap() += 1;
    }
    counts.retain(|_, count| *count != 1);
    assert!(counts.is_empty(), "{counts:?}: {findings:#?}");
    let report: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
    expect![[r#"
        the server, /name: use only A-Z, a-z, 0-9, `_` and `-` in the name: `claude mcp add` refuses `b.d` (server-name)
        the server, /instructions: say it in 2048 characters, or what follows may be cut (long-instructions)
        tool `dotted.name`, /name: use only A-Z, a-z, 0-9, `_` and `-` in the name (tool-name)
        tool `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn`, /name: shorten the name to 40 characters; it has 41 (name-length)
        tool `pppppppppppppppppppppppppppppppppppppppppppppppppppppppp`, /name: shorten the name of the tool or of the server: `mcp__b_d__pppppppppppppppppppppppppppppppppppppppppppppppppppppppp` has 66 characters, and model APIs take 64 (prefixed-name)
        tool `same-Name`, /name: `same_name` differs by case or punctuation only: rename one (similar-names)
        tool `silent`, /description: say what the tool does, in its doc comment (no-description)
        tool `talkative`, /description: say it in 2048 characters, or what follows may be cut (long-description)
        tool `unhinted`, /annotations: say `read_only`, `read_only = false` or `destructive = false`: by default clients expect a tool to destroy data (no-hints)
        tool `contradicting`, /annotations: a tool that only reads destroys nothing: drop one hint (contradicting-hints)
        tool `endless`, /annotations: set a timeout, for the outside world may not answer (no-timeout)
        tool `combined`, /inputSchema/anyOf: make the arguments one object with a member that tells the cases apart: model APIs refuse `anyOf` here (root-combinator)
        tool `odd_key`, /inputSchema/properties/a b: use 1 to 64 letters, digits, `_`, `-` and `.`: model APIs refuse others (property-name)
        tool `undescribed`, /inputSchema/properties/it: say what the argument means, in a doc comment on it (parameter-description)
        tool `open`, /inputSchema: refuse unknown arguments: `#[serde(deny_unknown_fields)]` on the type, or `"additionalProperties": false` in a schema by hand (open-object)
        tool `old`, /inputSchema/definitions: write `$defs`: `definitions` is of an older dialect (dialect)
        tool `referring`, /inputSchema/properties/it: write the schema `#/$defs/number` out here (reference)
        tool `recursive`, /inputSchema/properties/it: prefer a list of nodes that name their parents: clients and strict modes do not take a schema inside of itself (recursion)
        tool `odd_format`, /inputSchema/properties/it/format: drop it, or say it in the description: `uint32` is no format of JSON Schema (format)
        tool `unchecked`, /inputSchema/properties/it/pattern: check it in the tool: only clients may enforce such an expression (unchecked-pattern)
        tool `nullable`, /inputSchema/properties/it: leave the property out of `required`, instead of taking null for it (nullable)
        tool `boolean`, /inputSchema/properties/it/items: write `{}` (boolean-schema)
        tool `outside`, /inputSchema/properties/it/default: change the default or the schema: expected at most 9, got 10 (default-outside)
        tool `open_secret`, /inputSchema/properties/it/default: drop the default: every client can read it (secret-default)
        tool `choosy`, /inputSchema/properties/it/enum: take a string and check it in the tool, or offer a tool that searches: there are 101 choices (enum-size)
        tool `deep`, /inputSchema/properties/it/properties/below/properties/below/properties/below/properties/below: use at most 5 levels of objects; these are more (depth)
        tool `timed`, /inputSchema/properties/it: take `toolwright::duration::Text`, a text such as `1.5s`: models fill in `secs` and `nanos` badly (duration)
        prompt `silent`, /description: say what the prompt is for, in its doc comment: users choose by it (prompt-description)
        prompt `odd_name`, /arguments/0: use only A-Z, a-z, 0-9, `_` and `-`: clients show the name in the command (argument-name)
        prompt `disordered`, /arguments/1: put the arguments that may be omitted last: words are given to arguments in order, so this one cannot be given without those before it (argument-order)
        prompt `wordy`, /arguments/0: take an enum, a number, or what `complete` offers, or put the text last: each argument gets one word, so the rest of a text goes to those that follow (free-text)
        resource `toy://silent`, /description: say what is in the resource, in its doc comment: a model chooses by it (resource-description)
        resource `https://example.com/`, /uri: use a scheme of your own, such as `notes://`: clients take this for a page that they can fetch from the web themselves (web-uri)
        resource `toy://things/{id}{?page}`, /uriTemplate: put it before `toy://{+path}`, which has all of its URIs and is tried first (hidden-template)
    "#]].assert_eq(&report);
}

#[data]
#[derive(Debug)]
enum Language {
    English,
    German,
}

/// Translate a text.
#[prompt]
async fn translate(
    language: Language,
    times: u8,
    #[arg(pattern = "^[a-z]+$")] style: &str,
    separator: char,
    host: std::net::Ipv4Addr,
    text: Option<String>,
) -> String {
    let language = if let Language::English = language { "en" } else { "de" };
    format!("{language} {times} {style} {separator} {host} {text:?} {:?}", Language::German)
}

#[test]
fn at_the_bound_nothing_is_found() {
    let choices: Vec<_> = (0..100).map(|number| number.to_string()).collect();
    let registry = ToolRegistry::builder("s".repeat(17)).instructions("x".repeat(2048)).tools([
        good(&"n".repeat(40)),
        Tool::new(
            "talkative",
            "ü".repeat(2048),
            with(arguments(json!({})), "additionalProperties", json!({"type": "string"})),
            async |_: Value, _: Context| "done",
        )
        .annotate(|hints| hints.read_only_hint = Some(false)),
        argument("choosy", json!({"enum": choices})),
        argument("deep", nested(4)),
        argument("inside", json!({"type": "integer", "maximum": 9, "default": 9})),
        by_hand("long_key", arguments(json!({"k".repeat(64): {"description": "It."}}))),
        good("bounded")
            .annotate(|hints| hints.open_world_hint = Some(true))
            .with_timeout(std::time::Duration::from_secs(1)),
        good("long")
            .annotate(|hints| hints.open_world_hint = Some(true))
            .with_task(TaskSupport::Optional),
    ]);
    let registry = registry.prompts(prompts![translate]);
    let registry = registry.resources(
        [
            "toy://things/{id}",
            "toy://things/{id}{?page}",
            "toy://{kind}/{id}",
            "toy://{kind}/{id}/all",
            "toy://{+path}",
        ]
        .map(resource),
    );
    let view = Resource::new("ui://view", "view", "", async |_, _| "text");
    let registry = registry.resources([view]);
    assert_eq!(registry.build().unwrap().lint(), []);
}

#[test]
fn the_choices_of_all_branches_are_counted() {
    let list = |range: std::ops::Range<u8>| range.map(|at| at.to_string()).collect::<Vec<_>>();
    let documented = |schema| with(schema, "description", "It.".into());
    let branches = |last| json!({"oneOf": [{"enum": list(0..100)}, documented(last)]});
    shown(
        [
            argument("many", branches(json!({"const": "100"}))),
            argument("open", branches(json!({"type": "string"}))),
        ],
        expect![[r#"
            tool `many`, /inputSchema/properties/it/oneOf: take a string and check it in the tool, or offer a tool that searches: there are 101 choices (enum-size)
        "#]],
    );
}

/// A condition.
#[data]
enum Condition {
    /// Nothing.
    Never,
    /// The opposite.
    Not(Box<Condition>),
}

/// What to look for.
#[data]
struct Wanted {
    /// The words.
    words: Vec<Option<String>>,
    #[serde(default)]
    limit: Option<u8>,
    /// A tree of conditions.
    condition: Condition,
}

/// Search.
#[tool(open_world)]
async fn search(Args(wanted): Args<Wanted>) -> Json<Vec<Option<u8>>> {
    let _ = (wanted.words, wanted.condition);
    Json(vec![wanted.limit])
}

#[test]
fn derived_schemas_have_pointers_as_well() {
    shown(
        tools![search],
        expect![[r#"
        tool `search`, /annotations: say `read_only`, `read_only = false` or `destructive = false`: by default clients expect a tool to destroy data (no-hints)
        tool `search`, /annotations: set a timeout, for the outside world may not answer (no-timeout)
        tool `search`, /inputSchema: refuse unknown arguments: `#[serde(deny_unknown_fields)]` on the type, or `"additionalProperties": false` in a schema by hand (open-object)
        tool `search`, /inputSchema/properties/limit: say what the argument means, in a doc comment on it (parameter-description)
        tool `search`, /inputSchema/properties/condition/oneOf/1/properties/Not: prefer a list of nodes that name their parents: clients and strict modes do not take a schema inside of itself (recursion)
    "#]],
    );
}

#[data]
#[serde(tag = "kind")]
enum Kind {
    Bug { severity: u8 },
    Task { days: u8 },
}

#[data]
struct NewIssue {
    #[serde(flatten)]
    kind: Kind,
}

/// Open an issue.
#[tool(read_only = false)]
async fn open_issue(Args(NewIssue { kind }): Args<NewIssue>) -> u8 {
    let (Kind::Bug { severity: number } | Kind::Task { days: number }) = kind;
    number
}

/// With `deny_unknown_fields` serde would refuse every value.
#[test]
fn a_struct_with_a_flattened_enum_is_not_to_be_closed() {
    let registry = ToolRegistry::builder("toy").tools(tools![open_issue]).build().unwrap();
    let rules: Vec<Rule> = registry.lint().iter().map(|finding| finding.rule).collect();
    assert!(rules.contains(&Rule::RootCombinator), "{rules:?}");
    assert!(!rules.contains(&Rule::OpenObject), "{rules:?}");
}

#[test]
fn the_default_of_a_nested_reference_is_judged_by_its_target() {
    let number = |default: Value| {
        let list = json!({"type": "array", "items": {"$ref": "#/$defs/small"}, "default": default});
        let schema = arguments(json!({"it": with(list, "description", "Numbers.".into())}));
        by_hand("sum", with(schema, "$defs", json!({"small": {"type": "integer", "maximum": 9}})))
    };
    shown(
        [number(json!([9]))],
        expect![[r#"
        tool `sum`, /inputSchema/properties/it/items: write the schema `#/$defs/small` out here (reference)
    "#]],
    );
    shown(
        [number(json!([9, 10]))],
        expect![[r#"
        tool `sum`, /inputSchema/properties/it/default: change the default or the schema: /1: expected at most 9, got 10 (default-outside)
        tool `sum`, /inputSchema/properties/it/items: write the schema `#/$defs/small` out here (reference)
    "#]],
    );
}

#[test]
fn a_reference_to_nothing_and_a_cycle_of_references_end() {
    let cycle = json!({"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}});
    let properties = json!({
        "lost": {"description": "x", "$ref": "#/$defs/nowhere"},
        "round": {"description": "x", "$ref": "#/$defs/a"},
        "whole": {"description": "x", "$ref": "#"},
        "foreign": {"description": "x", "$ref": "https://example.com/schema"},
    });
    let schema = with(arguments(properties), "$defs", cycle);
    shown(
        [by_hand("lost", schema)],
        expect![[r#"
        tool `lost`, /inputSchema/properties/lost: write the schema out here: `#/$defs/nowhere` is no path in this one (reference)
        tool `lost`, /inputSchema/properties/round: prefer a list of nodes that name their parents: clients and strict modes do not take a schema inside of itself (recursion)
        tool `lost`, /inputSchema/properties/whole: prefer a list of nodes that name their parents: clients and strict modes do not take a schema inside of itself (recursion)
        tool `lost`, /inputSchema/properties/foreign: write the schema out here: `https://example.com/schema` is no path in this one (reference)
        tool `lost`, /inputSchema/$defs/a: prefer a list of nodes that name their parents: clients and strict modes do not take a schema inside of itself (recursion)
    "#]],
    );
}

#[test]
fn a_default_is_judged_by_a_schema_that_combines_itself() {
    let own = json!({"$ref": "#/properties/it"});
    for combined in [json!({"allOf": [own]}), json!({"anyOf": [own, own]})] {
        let properties =
            json!({"it": with(with(combined, "maximum", 3.into()), "default", 4.into())});
        let findings = lint([by_hand("own", arguments(properties))]);
        let is_outside = |finding: &&Finding| finding.rule == Rule::DefaultOutside;
        assert_eq!(findings.iter().filter(is_outside).count(), 1, "{findings:#?}");
    }
}

#[test]
fn thousands_of_references_are_followed_some_way() {
    let name = |at: usize| format!("link{at}");
    let next = |at| json!({"$ref": format!("#/$defs/{}", name(at + 1))});
    for is_object in [true, false] {
        let link = |at| match is_object {
            true => json!({"type": "object", "properties": {"next": next(at)}}),
            false => next(at),
        };
        let links: Map<_, _> = (0..10_000).map(|at| (name(at), link(at))).collect();
        let first = json!({"it": {"description": "x", "$ref": "#/$defs/link0"}});
        let chain = by_hand("chain", with(arguments(first), "$defs", links.into()));
        let findings = lint([chain]);
        assert!(findings.iter().all(|finding| finding.rule == Rule::Reference));
        assert_eq!(findings.len(), 10_001);
    }
}
