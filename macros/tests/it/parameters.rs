//! What a function may take.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toolwright::{Args, CancelToken, Context, Host, Tool, ToolRegistry, Value, data, json, tool};

use super::{error, now, properties, property, text};

#[tool]
async fn join(words: &[String], separator: &str, limit: Option<usize>) -> String {
    words
        .iter()
        .take(limit.unwrap_or(usize::MAX))
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(separator)
}

#[test]
fn references_are_lent() {
    assert_eq!(text(join::tool(), json!({"words": ["a", "b"], "separator": "-"})), "a-b");
    assert_eq!(text(join::tool(), json!({"words": ["a", "b"], "separator": "-", "limit": 1})), "a");
    assert_eq!(text(join::tool(), json!({"words": [], "separator": "", "limit": null})), "");
}

#[test]
fn the_function_stays_as_it_is_written() {
    assert_eq!(now(join(&["a".to_owned(), "b".to_owned()], "+", None)), "a+b");
    assert_eq!(double(2), 4);
    const SIX: i64 = double(3);
    assert_eq!(SIX, 6);
    assert_eq!(text(double::tool(), json!({"value": 4})), "8");
}

#[tool(inline)]
const fn double(value: i64) -> i64 {
    value * 2
}

#[data]
#[derive(Debug, Clone, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Op {
    Eq,
    Ne,
}

#[data]
#[derive(Debug, Clone, PartialEq)]
struct Filter {
    field: String,
    op: Op,
    of: Option<Box<Filter>>,
}

#[tool]
#[allow(clippy::too_many_arguments)]
async fn collections(
    filters: Vec<Filter>,
    by_ref: &Filter,
    borrowed: &[Filter],
    map: BTreeMap<String, i32>,
    pair: (u8, String),
    fixed: &[u8; 2],
    any: Value,
    text: Cow<'_, str>,
) -> String {
    format!(
        "{} {:?} {} {map:?} {pair:?} {fixed:?} {any} {text}",
        filters.len(),
        by_ref.op,
        borrowed.len()
    )
}

#[test]
fn structs_enums_maps_tuples_and_sequences_are_arguments() {
    let filter = json!({"field": "f", "op": "ne", "of": {"field": "g", "op": "eq"}});
    let arguments = json!({
        "filters": [filter], "by_ref": filter, "borrowed": [], "map": {"x": 1}, "pair": [1, "p"], "fixed": [1, 2], "any": {"k": null}, "text": "t",
    });
    assert_eq!(
        text(collections::tool(), arguments),
        r#"1 Ne 0 {"x": 1} (1, "p") [1, 2] {"k":null} t"#
    );
}

/// How to search.
#[data]
struct Search {
    query: String,
    limit: Option<u32>,
}

#[tool]
async fn search(Args(q): Args<Search>) -> String {
    format!("{} {:?}", q.query, q.limit)
}

#[tool]
async fn search_with_context(cx: &Context, Args(Search { query, .. }): Args<Search>) -> String {
    format!("{query} {:?}", cx.host())
}

type Whole<T> = Args<T>;

#[tool]
async fn search_by_alias(args: Whole<Search>) -> String {
    args.0.query
}

#[test]
fn a_struct_can_be_all_arguments() {
    assert_eq!(properties(search::tool()), ["query", "limit"]);
    assert_eq!(text(search::tool(), json!({"query": "x", "limit": 3})), "x Some(3)");
    assert_eq!(text(search_with_context::tool(), json!({"query": "x"})), "x Detached");
    assert_eq!(text(search_by_alias::tool(), json!({"query": "y"})), "y");
}

type Cx = Context;
type Token = CancelToken;

#[tool]
async fn injected(
    cx: &Cx,
    owned: Context,
    token: CancelToken,
    by_ref: &Token,
    value: u8,
) -> String {
    format!(
        "{} {} {} {} {value}",
        cx.host() == Host::Detached,
        owned.host() == Host::Detached,
        token.is_cancelled(),
        by_ref.is_cancelled()
    )
}

#[test]
fn context_and_token_are_found_by_trait_whatever_they_are_called() {
    assert_eq!(properties(injected::tool()), ["value"]);
    assert_eq!(text(injected::tool(), json!({"value": 1})), "true true false false 1");
    assert_eq!(
        error(injected::tool(), json!({"value": 1, "cx": {}})),
        "Invalid arguments for `injected`:\n- /cx: unknown, known are `value`"
    );
}

#[tool]
#[allow(clippy::just_underscores_and_digits, clippy::too_many_arguments)]
async fn named(
    _unused: u8,
    r#type: &str,
    mut total: f64,
    __: u8,
    self_: u8,
    input: u8,
    returned: u8,
    private: u8,
    param_0: u8,
) -> String {
    total += 0.5;
    format!("{} {total} {self_} {input} {returned} {private} {param_0} {__}", r#type)
}

#[test]
fn names_lose_what_only_rust_needs() {
    assert_eq!(
        properties(named::tool()),
        ["unused", "type", "total", "__", "self_", "input", "returned", "private", "param_0"]
    );
    let arguments = json!({
        "unused": 0, "type": "t", "total": 1, "__": 9, "self_": 1, "input": 2, "returned": 3, "private": 4, "param_0": 5,
    });
    assert_eq!(text(named::tool(), arguments), "t 1.5 1 2 3 4 5 9");
}

#[tool]
async fn same(_a: u8, a: u8) -> u8 {
    a
}

// The macro does not see that these are `Args`.
#[tool]
async fn beside(q: Whole<Search>, more: u8) -> String {
    format!("{}{more}", q.0.query)
}

#[tool]
async fn twice(a: Whole<Search>, b: Whole<Search>) -> String {
    a.0.query + &b.0.query
}

#[test]
fn signatures_that_make_no_object_are_refused_by_build() {
    let complaint =
        |tool: Tool| ToolRegistry::builder("test").tool(tool).build().unwrap_err().to_string();
    assert_eq!(complaint(same::tool()), "tool `same`: there is more than one argument `a`");
    assert_eq!(
        complaint(beside::tool()),
        "tool `beside`: `Args` stands for all arguments, so there can be no others beside it"
    );
    assert_eq!(
        complaint(twice::tool()),
        "tool `twice`: `Args` stands for all arguments, so there can be only one"
    );
}

mod own {
    use toolwright::{Context, data, tool};

    /// Is no `toolwright::Args`.
    #[data]
    pub(super) struct Args {
        pub(super) x: u8,
    }

    #[tool]
    pub(super) async fn add(args: Args, more: u8, rest: Option<&str>) -> String {
        format!("{}{rest:?}", args.x + more)
    }

    #[tool]
    pub(super) async fn injected(
        toolwright::Args(args): toolwright::Args<Args>,
        _: Context,
        _: &Context,
    ) -> u8 {
        args.x
    }
}

#[test]
fn the_type_decides_what_args_is_and_what_stands_beside_it() {
    assert_eq!(properties(own::add::tool()), ["args", "more", "rest"]);
    assert_eq!(text(own::add::tool(), json!({"args": {"x": 1}, "more": 2})), "3None");
    assert_eq!(properties(own::injected::tool()), ["x"]);
    assert_eq!(text(own::injected::tool(), json!({"x": 1})), "1");
}

type Maybe<T> = Option<T>;

#[data]
struct Limit(Option<u8>);

#[tool]
async fn optional(
    alias: Maybe<u8>,
    boxed: Box<Option<u8>>,
    nested: Option<Option<u8>>,
    by_ref: &Option<String>,
) -> String {
    format!("{alias:?} {boxed:?} {nested:?} {by_ref:?}")
}

#[tool]
async fn wrapped(limit: Limit) -> String {
    format!("{:?}", limit.0)
}

#[test]
fn optional_is_what_reads_nothing_as_a_value() {
    assert_eq!(text(optional::tool(), json!({})), "None None None None");
    assert_eq!(
        text(optional::tool(), json!({"alias": 1, "boxed": 2, "nested": 3, "by_ref": "x"})),
        r#"Some(1) Some(2) Some(Some(3)) Some("x")"#
    );
    assert_eq!(
        property(optional::tool(), "alias"),
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    );
    // As in serde's derive, a type around an option is not one.
    assert_eq!(
        error(wrapped::tool(), json!({})),
        "Invalid arguments for `wrapped`:\n- /limit: missing, expected integer or null"
    );
    assert_eq!(text(wrapped::tool(), json!({"limit": null})), "None");
}

#[tool]
async fn nothing() {}

#[test]
fn a_function_may_take_nothing() {
    assert_eq!(
        nothing::tool().input_schema().get(),
        r#"{"type":"object","properties":{},"additionalProperties":false}"#
    );
    assert_eq!(text(nothing::tool(), json!({})), "");
    assert_eq!(
        error(nothing::tool(), json!({"a": 1})),
        "Invalid arguments for `nothing`:\n- /a: unknown, there are no arguments"
    );
}
