//! Crates whose lints are strict, and crates without a prelude.

use toolwright::{Tool, json};

use super::{now, text};

/// Is public to the crate's root, where lints look for documentation.
pub mod linted {
    #![deny(warnings)]
    #![deny(
        missing_docs,
        unsafe_code,
        unreachable_pub,
        missing_debug_implementations,
        missing_copy_implementations
    )]
    #![deny(let_underscore, nonstandard_style, rust_2018_idioms, unused, keyword_idents)]
    #![deny(
        absolute_paths_not_starting_with_crate,
        elided_lifetimes_in_paths,
        explicit_outlives_requirements,
        ffi_unwind_calls,
        meta_variable_misuse,
        redundant_imports,
        redundant_lifetimes,
        single_use_lifetimes,
        trivial_casts,
        trivial_numeric_casts,
        unit_bindings,
        unnameable_types,
        unused_extern_crates,
        unused_import_braces,
        unused_lifetimes,
        unused_qualifications,
        unused_results,
        variant_size_differences
    )]
    #![deny(clippy::all, clippy::pedantic, clippy::nursery)]
    #![allow(
        clippy::missing_const_for_fn,
        clippy::missing_errors_doc,
        clippy::must_use_candidate,
        reason = "these are said of the functions, tools or not"
    )]

    use toolwright::{Args, Context, Json, data, tool, toolset};

    /// A point.
    #[data]
    #[derive(Debug, Clone, Copy)]
    pub struct Point {
        /// How far to the right.
        pub x: f64,
    }

    /// Uses all that an expansion has.
    #[tool(read_only, title = "All", timeout = "1s", icon = "https://example.com", meta("a" = 1))]
    #[allow(clippy::too_many_arguments, reason = "one of each kind")]
    pub fn all(
        /// The point.
        point: &Point,
        #[arg(min_length = 1, pattern = "^t", example = "t", lenient)] text: &str,
        number: Option<f64>,
        #[arg(rename = "more", default = 0.0, min = 0, max = 9)] further: f64,
        #[arg(default = Point { x: 0.0 }, secret)] base: Point,
        #[schemars(range(min = 0))] least: Option<f64>,
        names: &[&str],
        cx: &Context,
    ) -> Result<Json<Point>, std::fmt::Error> {
        cx.progress(0.5, text);
        let least = least.unwrap_or_default() * f64::from(u8::from(names.is_empty()));
        Ok(Json(Point { x: point.x + base.x + further + least + number.unwrap_or_default() }))
    }

    /// Gives back nothing.
    #[tool(inline)]
    pub fn nothing() {}

    /// Takes all.
    #[tool]
    pub fn whole(Args(point): Args<Point>) -> f64 {
        point.x
    }

    /// Is old.
    #[deprecated = "use `whole`"]
    #[tool]
    pub fn old(_unused: u8) {}

    /// Must be looked at.
    #[must_use]
    #[tool]
    pub fn important() -> u8 {
        1
    }

    /// Is old.
    #[deprecated = "write `u8`"]
    pub type Old = u8;

    /// Has what is old.
    #[allow(deprecated, reason = "it is kept")]
    #[data]
    #[derive(Debug, Clone, Copy)]
    pub struct Kept {
        /// Is old.
        pub old: Option<Old>,
    }

    /// Has what is old, or what is not.
    #[allow(deprecated, reason = "it is kept")]
    #[data]
    #[serde(untagged)]
    #[derive(Debug, Clone, Copy)]
    pub enum Either {
        /// What is old.
        Old(Old),
        /// What is not.
        New(u8),
    }

    /// Shares something.
    #[derive(Debug)]
    pub struct Shared<T> {
        /// What it shares.
        pub value: T,
    }

    /// One block.
    #[toolset(prefix = "shared_", groups(more))]
    impl<T: Clone + Into<f64> + Send + Sync> Shared<T> {
        /// Adds.
        #[tool(read_only)]
        pub fn add(
            &self,
            /// The other.
            other: f64,
        ) -> f64 {
            self.value.clone().into() + other
        }

        #[tool]
        async fn hidden(&self) -> f64 {
            std::future::ready(self.value.clone().into()).await
        }
    }

    /// Another block.
    #[toolset(group = more)]
    impl<T: Send + Sync> Shared<T> {
        /// Is old.
        #[deprecated = "use `add`"]
        #[tool]
        pub fn old(self: std::sync::Arc<Self>, _unused: u8) {}

        /// Takes no value.
        #[tool]
        pub const fn nothing() {}
    }

    // Never called nor collected: an expansion that uses it keeps it from being dead.
    #[tool]
    fn uncollected() {}
}

#[test]
fn strict_lints_do_not_fire() {
    assert_eq!(
        text(
            linted::all::tool(),
            json!({"point": {"x": 1}, "text": "t", "number": 2, "names": []})
        ),
        r#"{"x":3.0}"#
    );
    assert_eq!(text(linted::nothing::tool(), json!({})), "");
    assert_eq!(text(linted::whole::tool(), json!({"x": 1})), "1");
    assert_eq!(text(linted::old::tool(), json!({"unused": 1})), "");
    assert_eq!(text(linted::important::tool(), json!({})), "1");
    let [add, _, _, _] = &Tool::of_toolset(linted::Shared { value: 1_f32 })[..] else { panic!() };
    assert_eq!(text(add.clone(), json!({"other": 1})), "2");
}

mod bare {
    #![no_implicit_prelude]

    // For schemars' derive, which asks for them.
    use ::std::convert::{From as _, Into as _};

    use ::toolwright::{Args, Context, Value, data, tool, tools, toolset};

    #[data]
    pub(crate) struct Search {
        query: ::std::string::String,
        limit: ::std::option::Option<u32>,
    }

    #[data]
    pub(crate) enum Choice {
        One,
        Two(u8),
    }

    /// Search.
    #[tool(read_only, title = "Search", timeout = "1s", icon = "https://example.com", meta("a" = {"b": [1]}))]
    pub(crate) async fn search(
        Args(q): Args<Search>,
        _cx: &Context,
    ) -> ::std::result::Result<::std::string::String, ::std::fmt::Error> {
        ::std::result::Result::Ok(::std::format!("{} {}", q.query, q.limit.unwrap_or(1)))
    }

    #[tool]
    pub(crate) fn choose(
        /// A text.
        text: &str,
        #[doc = ::std::concat!("a", "b")] choice: Choice,
        #[arg(default = "x", min_length = 1, max = 9, example = {"a": 1})] _any: Value,
        #[arg(default = Choice::One)] _other: &Choice,
        _name: ::std::option::Option<&str>,
    ) -> ::std::string::String {
        match choice {
            Choice::One => ::std::format!("{text} 1"),
            Choice::Two(value) => ::std::format!("{text} {value}"),
        }
    }

    pub(crate) struct Shared<T>(pub(crate) T);

    #[toolset(groups(more))]
    impl<T: ::std::marker::Send + ::std::marker::Sync> Shared<T> {
        #[tool]
        async fn echo(&self, text: &str) -> ::std::string::String {
            ::std::string::String::from(text)
        }
    }

    #[toolset(group = more)]
    impl<T: ::std::marker::Send + ::std::marker::Sync> Shared<T> {
        #[tool]
        fn nothing(self: ::std::sync::Arc<Self>) {}
    }

    pub(crate) fn all() -> [::toolwright::Tool; 2] {
        tools![search, choose]
    }
}

#[test]
fn no_prelude_is_needed() {
    let [search, choose] = bare::all();
    assert_eq!(text(search, json!({"query": "x"})), "x 1");
    assert_eq!(text(choose, json!({"text": "t", "choice": {"Two": 2}})), "t 2");
    let shared = Tool::of_toolset(bare::Shared(1));
    assert_eq!(text(shared[0].clone(), json!({"text": "x"})), "x");
    assert_eq!(text(shared[1].clone(), json!({})), "");
    assert_eq!(
        now(async { bare::choose("t", bare::Choice::One, json!(1), &bare::Choice::One, None) }),
        "t 1"
    );
}
