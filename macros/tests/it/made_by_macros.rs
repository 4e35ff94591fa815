//! Tools that a `macro_rules!` writes, whose fragments are in invisible groups.

use toolwright::{Context, json, tool, tools};

use super::{description, listed, property, text};

macro_rules! unary {
    ($(#[$meta:meta])* $vis:vis $name:ident, $title:literal, $doc:expr, ($param:ident: $type:ty) -> $output:ty $body:block) => {
        $(#[$meta])*
        #[tool(read_only, title = $title, description = $doc)]
        $vis async fn $name($param: $type, cx: &Context) -> $output {
            let _ = cx;
            $body
        }
    };
}

unary!(#[allow(dead_code)] pub(crate) shout, "Shout", "Says it loudly.", (text: &str) -> String { text.to_uppercase() });
unary!(count, "Count", concat!("Counts", " items."), (items: &[u8]) -> usize { items.len() });
unary!(maybe, "Maybe", "", (value: Option<u8>) -> Option<String> { value.map(|value| value.to_string()) });

macro_rules! documented {
    ($($(#[$meta:meta])* fn $name:ident($($(#[$param_meta:meta])* $param:ident: $type:ty),*) -> $output:ty = $value:expr;)*) => {
        $($(#[$meta])* #[tool] fn $name($($(#[$param_meta])* $param: $type),*) -> $output {
            $value
        })*
    };
}

documented! {
    /// The sum.
    ///
    /// Of two.
    fn sum(
        /// The left one.
        a: i32,
        b: i32
    ) -> i32 = a + b;
}

macro_rules! literal_doc {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[doc = concat!("Called ", stringify!($name), ".")]
        #[tool]
        fn $name() {}
    };
}

literal_doc!(with_literal, "A literal.");

/// The name of the parameter is the macro's own.
macro_rules! hygienic {
    ($name:ident) => {
        #[tool]
        fn $name(value: u8) -> u8 {
            let input = value;
            input + 1
        }
    };
}

hygienic!(increment);

/// The types are parts of others.
macro_rules! of_parts {
    ($name:ident, $item:ty, $lent:ty) => {
        #[tool]
        fn $name(
            a: &[&$item],
            b: Option<&$item>,
            c: Vec<&$item>,
            d: Option<$lent>,
            e: &[$lent],
            #[schemars(length(max = 3))] f: $lent,
        ) -> String {
            format!("{a:?}{b:?}{c:?}{d:?}{e:?}{f:?}")
        }
    };
}

of_parts!(parts, str, &str);

#[test]
fn what_is_lent_may_come_from_a_macro() {
    let all = json!({"a": ["a"], "b": "b", "c": ["c"], "d": "d", "e": ["e"], "f": "f"});
    let said = r#"["a"]Some("b")["c"]Some("d")["e"]"f""#;
    assert_eq!(text(parts::tool(), all), said);
    assert_eq!(property(parts::tool(), "f").to_string(), r#"{"type":"string","maxLength":3}"#);
}

#[test]
fn tools_may_be_written_by_a_macro() {
    assert_eq!(text(shout::tool(), json!({"text": "hey"})), "HEY");
    assert_eq!(text(count::tool(), json!({"items": [1, 2]})), "2");
    assert_eq!(text(maybe::tool(), json!({})), "");
    assert_eq!(text(sum::tool(), json!({"a": 1, "b": 2})), "3");
    assert_eq!(text(increment::tool(), json!({"value": 1})), "2");
    assert_eq!(
        tools![shout, count, maybe, sum].map(|tool| tool.name().to_owned()),
        ["shout", "count", "maybe", "sum"]
    );
}

#[test]
fn their_words_arrive() {
    assert_eq!(description(shout::tool()), "Says it loudly.");
    assert_eq!(description(count::tool()), "Counts items.");
    assert_eq!(listed(count::tool())["title"], "Count");
    assert_eq!(description(sum::tool()), "The sum.\n\nOf two.");
    assert_eq!(property(sum::tool(), "a")["description"], "The left one.");
    assert_eq!(description(with_literal::tool()), "A literal.\nCalled with_literal.");
}
