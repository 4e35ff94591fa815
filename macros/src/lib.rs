//! The attribute macros of [toolwright](https://docs.rs/toolwright); use them through that crate.
//!
//! A function goes through the stages args → item → model → check → expand, a file each. The stages
//! know nothing of the compiler's own `proc_macro`, so tests can run them.

mod args;
mod check;
mod data;
mod expand;
mod item;
mod model;

use proc_macro::TokenStream;

/// Makes a tool of a function, which stays exactly as it is written.
///
/// ```ignore
/// /// Search the notes.
/// #[tool(read_only, timeout = "10s")]
/// async fn search(
///     /// Words to look for.
///     query: &str,
///     /// The most to return.
///     limit: Option<u32>,
///     cx: &Context,
/// ) -> anyhow::Result<Json<Vec<Note>>> {
///     cx.progress(0.5, "half way");
///     ...
/// }
/// ```
///
/// Beside `fn search` there is then a type `search` with `search::tool()`, which `tools![search]`
/// collects. The doc comment is the description, with its paragraphs; those of parameters describe
/// the arguments.
///
/// | parameter | |
/// |---|---|
/// | any `T: Deserialize + JsonSchema`, or a reference to one, `&str`, `&[T]` | an argument of the parameter's name |
/// | `Option<T>` | an argument that may be absent |
/// | `Args<T>` | all arguments: the fields of `T`, with serde's attributes on them |
/// | `&Context`, `CancelToken` | the call |
///
/// | result | what the model gets |
/// |---|---|
/// | `()`, `None` | nothing |
/// | strings, numbers, `bool` | text |
/// | `Json<T>` | structured content and a copy as text; the tool has an output schema, except for `Option<Json<T>>` |
/// | `Image`, `Audio`, `ResourceLink`, `EmbeddedResource`, `Content`, `Vec<Content>`, `ToolResult` | themselves |
/// | `Result<T, E>` with `E: Display` | `T`, or an error result with the causes of `E` |
///
/// An `async fn` runs on the serving loop, a plain `fn` on a thread of its own.
///
/// | key | |
/// |---|---|
/// | `name = "…"` | the name, if not the function's |
/// | `title = "…"` | a name for people |
/// | `description = "…"` | instead of the doc comment; may be a constant |
/// | `read_only`, `destructive`, `idempotent`, `open_world` | hints for clients, each also `= false` |
/// | `timeout = "10s"` | `ms`, `s` or `m`; then the tool is stopped, and the answer an error result |
/// | `inline` | a plain `fn` that is quick enough for the serving loop |
/// | `icon = "https://…"` | an icon; may be repeated |
/// | `meta("key" = value)` | entries of `_meta` |
/// | `always_load`, `search_hint = "…"`, `max_result_chars = n` | for Claude Code |
/// | `crate = path` | where the crate has another name |
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(args.into(), item.into()).into()
}

/// Adds `Serialize`, `Deserialize` and `JsonSchema` to a struct or enum, from the crates that
/// toolwright carries along.
///
/// `#[serde(…)]` and `#[schemars(…)]` work as always: `#[serde(default)]` makes a field optional,
/// `#[serde(deny_unknown_fields)]` has names that are not known refused, as they are for a
/// function's own parameters. The variants of an enum whose docs say something are listed with
/// these docs. Key: `crate = path` where the crate has another name.
#[proc_macro_attribute]
pub fn data(args: TokenStream, item: TokenStream) -> TokenStream {
    data::expand(args.into(), item.into()).into()
}
