//! Lists of tools, and other names for tools.

use toolwright::{Tool, ToolRegistry, json, tool, tools};

use super::now;

#[tool]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

mod more {
    #[toolwright::tool]
    pub(super) async fn negate(a: f64) -> f64 {
        -a
    }

    #[cfg(any())]
    #[toolwright::tool]
    pub(super) async fn absent() {}
}

fn names(tools: impl IntoIterator<Item = Tool>) -> Vec<String> {
    tools.into_iter().map(|tool| tool.name().to_owned()).collect()
}

#[test]
fn an_entry_may_have_a_condition() {
    let tools: [Tool; 2] = tools![
        #[cfg(any())]
        more::absent,
        #[cfg(not(any()))]
        more::negate,
        #[cfg(any())]
        #[cfg(not(any()))]
        absent,
        self::add,
    ];
    assert_eq!(names(tools), ["negate", "add"]);
    let none: [Tool; 0] = tools![
        #[cfg(any())]
        more::absent
    ];
    assert_eq!(names(none), [""; 0]);
}

macro_rules! list {
    ($($tool:path),*) => {
        tools![$($tool),*]
    };
}

macro_rules! spelt {
    ($($tool:ident)*) => {
        toolwright::tools![$($tool,)* $crate::lists::more::negate]
    };
}

#[test]
fn a_macro_may_write_a_list() {
    assert_eq!(names(list![add, crate::lists::more::negate]), ["add", "negate"]);
    assert_eq!(names(spelt![add]), ["add", "negate"]);
}

#[test]
fn a_tool_may_have_another_name_in_each_registry() {
    let registry = ToolRegistry::builder("calc")
        .tools(tools![add])
        .tool(add::tool().with_name("plus"))
        .tools_with_prefix("more_", tools![add, more::negate])
        .build()
        .unwrap();
    assert_eq!(names(registry.tools()), ["add", "plus", "more_add", "more_negate"]);
    let text = |name, arguments| now(registry.call(name, arguments)).unwrap().to_text();
    assert_eq!(text("plus", json!({"a": 1, "b": 2})), "3");
    assert_eq!(
        text("more_negate", json!({})),
        "Invalid arguments for `more_negate`:\n- /a: missing, expected number"
    );
    assert_eq!(add::tool().name(), "add");
}

#[test]
fn a_new_name_must_be_one() {
    let error = ToolRegistry::builder("calc")
        .tool(add::tool().with_name("add it"))
        .tools_with_prefix("calc/", tools![more::negate])
        .tools([add::tool(), more::negate::tool().with_name("add")])
        .build()
        .unwrap_err();
    let complaints: Vec<_> =
        error.complaints().iter().map(|it| it.split_once(": ").unwrap().0).collect();
    assert_eq!(complaints, ["tool `add it`", "tool `calc/negate`", "tool `add`"]);
}
