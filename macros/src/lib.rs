//! The attribute macros of [toolwright](https://docs.rs/toolwright); use them through that crate.
//!
//! A function goes through the stages args → item → model → check → expand, a file each. The stages know nothing of the compiler's own
//! `proc_macro`, so tests can run them.

mod args;
mod check;
mod data;
mod expand;
mod item;
mod model;

use proc_macro::TokenStream;

/// Makes a tool of a function, which stays exactly as it is written.
///
/// Beside `fn add` there is then a type `add` with `add::tool()`, which `tools![add]` collects. Doc comments become descriptions, parameters the
/// input schema.
///
/// Keys: `name = "…"`, `title = "…"`, `description = "…"`; the hints `read_only`, `destructive`, `idempotent`, `open_world` (each also `= false`);
/// `timeout = "10s"` (`ms`, `s`, `m`); `inline` for a plain function that is quick enough for the serving loop; `icon = "https://…"`;
/// `meta("key" = value)`; `always_load`, `search_hint = "…"` and `max_result_chars = n` for Claude Code; `crate = path` where the crate has another
/// name.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(args.into(), item.into()).into()
}

/// Adds `Serialize`, `Deserialize` and `JsonSchema` to a struct or enum, from the crates that toolwright carries along.
///
/// `#[serde(…)]` and `#[schemars(…)]` work as always. Key: `crate = path` where the crate has another name.
#[proc_macro_attribute]
pub fn data(args: TokenStream, item: TokenStream) -> TokenStream {
    data::expand(args.into(), item.into()).into()
}
