//! The type beside the function: its visibility and its name.

#![allow(unreachable_pub, reason = "the visibilities are what is tested")]

use toolwright::{ToolRegistry, json, tools};

use super::{listed, now, text};

mod math {
    use toolwright::tool;

    /// Add.
    #[tool]
    pub async fn add(a: f64, b: f64) -> f64 {
        a + b
    }

    #[tool]
    pub(crate) fn negate(a: f64) -> f64 {
        -a
    }

    pub mod deeper {
        #[toolwright::tool]
        pub(in crate::names) async fn half(a: f64) -> f64 {
            a / 2.0
        }
    }
}

mod shapes {
    #[toolwright::tool]
    async fn area(a: f64) -> f64 {
        a * a
    }

    pub(super) fn all() -> [toolwright::Tool; 1] {
        toolwright::tools![self::area]
    }
}

#[test]
fn one_import_brings_the_function_and_the_tool() {
    use math::add;
    assert_eq!(now(add(1.0, 2.0)), 3.0);
    assert_eq!(text(add::tool(), json!({"a": 1, "b": 2})), "3");
}

#[test]
fn tools_are_collected_by_path_in_order() {
    let tools = tools![math::add, math::negate, crate::names::math::deeper::half,];
    let registry = ToolRegistry::builder("test")
        .tools(tools)
        .tools(shapes::all())
        .tools(tools![])
        .build()
        .unwrap();
    assert_eq!(
        registry.allowed_tools(),
        ["mcp__test__add", "mcp__test__negate", "mcp__test__half", "mcp__test__area"]
    );
    assert_eq!(text(math::deeper::half::tool(), json!({"a": 3})), "1.5");
}

#[test]
fn a_tool_may_stand_in_a_function() {
    #[toolwright::tool]
    fn local(value: u8) -> u8 {
        value
    }
    assert_eq!(text(local::tool(), json!({"value": 7})), "7");
    assert_eq!(local(8), 8);
}

mod shadowing {
    use ::toolwright::tool;

    #[tool]
    pub async fn println() -> &'static str {
        "println"
    }

    #[tool]
    pub async fn panic() -> &'static str {
        "panic"
    }

    #[tool]
    pub async fn drop(value: u8) -> String {
        format!("drop {value}")
    }

    #[tool]
    pub async fn input(input: u8) -> String {
        format!("input {input}")
    }

    #[tool]
    pub async fn tool() -> &'static str {
        "tool"
    }

    #[tool]
    pub async fn decode(returned: u8) -> String {
        format!("decode {returned}")
    }

    #[tool]
    pub async fn r#match() -> &'static str {
        "match"
    }

    #[tool]
    pub async fn toolwright() -> &'static str {
        "toolwright"
    }
}

#[test]
fn a_tool_may_be_called_like_anything() {
    use shadowing::*;
    assert_eq!(text(println::tool(), json!({})), "println");
    assert_eq!(text(panic::tool(), json!({})), "panic");
    assert_eq!(text(shadowing::drop::tool(), json!({"value": 1})), "drop 1");
    assert_eq!(text(input::tool(), json!({"input": 1})), "input 1");
    assert_eq!(text(tool::tool(), json!({})), "tool");
    assert_eq!(text(decode::tool(), json!({"returned": 1})), "decode 1");
    assert_eq!(text(r#match::tool(), json!({})), "match");
    assert_eq!(text(shadowing::toolwright::tool(), json!({})), "toolwright");
    assert_eq!(listed(r#match::tool())["name"], "match");
}

mod conditional {
    use toolwright::tool;

    #[cfg(any())]
    #[tool]
    pub async fn before(value: DoesNotExist) {}

    #[tool]
    #[cfg(any())]
    pub async fn behind(value: DoesNotExist) {}

    #[tool]
    #[cfg(not(any()))]
    pub async fn there() -> &'static str {
        "there"
    }

    /// If the absent ones had left any item, these would be defined twice.
    #[allow(non_camel_case_types)]
    pub struct before;
    #[allow(non_camel_case_types)]
    pub struct behind;
}

#[test]
fn a_condition_holds_for_the_tool_as_for_its_function() {
    let _absent = (conditional::before, conditional::behind);
    assert_eq!(text(conditional::there::tool(), json!({})), "there");
}
