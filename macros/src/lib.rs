//! The attribute macros of [toolwright](https://docs.rs/toolwright); use them through that crate.

// An attribute goes through the stages args, arg → item → lent, passed → model → check → function →
// start → expand, one file each; a method in a toolset does the same up to start. The stages use
// `proc_macro2` only, so they can also run outside of the compiler.

mod noun;
mod uri;
mod args;
mod arg;
mod check;
mod complaints;
mod data;
mod expand;
mod function;
mod item;
mod settings;
mod unread;
mod keys;
mod list;
mod misplaced;
mod lent;
mod passed;
mod model;
mod nearest;
mod renamed;
mod start;
mod toolset;

use proc_macro::TokenStream;

use noun::Noun;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::function_item(Noun::Tool, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/prompt.md")]
#[proc_macro_attribute]
pub fn prompt(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::function_item(Noun::Prompt, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/resource.md")]
#[proc_macro_attribute]
pub fn resource(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::function_item(Noun::Resource, args.into(), item.into()).into()
}

/// Makes tools of methods, which share the value that they belong to.
///
/// ```
/// use std::sync::Mutex;
///
/// use toolwright::{ToolRegistry, toolset};
///
/// #[derive(Default)]
/// struct Notes {
///     texts: Mutex<Vec<String>>,
/// }
///
/// #[toolset(prefix = "notes_")]
/// impl Notes {
///     /// Keep a note.
///     #[tool]
///     async fn keep(&self, text: String) {
///         self.texts.lock().expect("nobody panics here").push(text);
///     }
///
///     /// Count the notes.
///     #[tool(read_only)]
///     fn count(&self) -> usize {
///         self.texts.lock().expect("nobody panics here").len()
///     }
/// }
///
/// let registry = ToolRegistry::builder("desk").toolset(Notes::default()).build()?;
/// assert_eq!(registry.allowed_tools(), ["mcp__desk__notes_keep", "mcp__desk__notes_count"]);
/// # Ok::<(), toolwright::BuildError>(())
/// ```
///
/// Methods under [`#[tool]`](macro@tool), which needs no import there, are tools with all that
/// functions have; those under [`#[prompt]`](macro@prompt) and [`#[resource]`](macro@resource) are
/// prompts and resources. They stay methods, which a test can call. A tool takes `&self`,
/// `self: Arc<Self>`, or no value at all. As calls run at the same time, put what changes into a
/// `Mutex` or an atomic. The value is `Send` and `Sync`, and is dropped with the last registry and
/// call.
///
/// The type may have parameters, and a method may have a `#[cfg]`:
///
/// ```
/// use toolwright::{ToolRegistry, toolset};
///
/// trait Store: Send + Sync {
///     fn size(&self) -> u64;
/// }
///
/// struct Files<S> {
///     store: S,
/// }
///
/// #[toolset]
/// impl<S: Store> Files<S> {
///     /// Tell how many bytes are stored.
///     #[tool(read_only)]
///     fn size(&self) -> u64 {
///         self.store.size()
///     }
///
///     /// Tell who runs the server.
///     #[cfg(unix)]
///     #[tool(read_only)]
///     fn user(&self) -> Option<String> {
///         std::env::var("USER").ok()
///     }
/// }
/// ```
///
/// A type has one such block. Each further one is a group, which that block lists; a group that is
/// not listed is reported as dead code:
///
/// ```
/// # use toolwright::{ToolRegistry, toolset};
/// struct Server;
///
/// #[toolset(groups(admin))]
/// impl Server {
///     #[tool]
///     fn ping(&self) {}
/// }
///
/// #[toolset(group = admin, prefix = "admin_")]
/// impl Server {
///     #[tool]
///     fn stop(&self) {}
/// }
///
/// let registry = ToolRegistry::builder("server").toolset(Server).build()?;
/// assert_eq!(registry.allowed_tools(), ["mcp__server__ping", "mcp__server__admin_stop"]);
/// # Ok::<(), toolwright::BuildError>(())
/// ```
///
/// | key | |
/// |---|---|
/// | `prefix = "…"` | the beginning of the names of the block's tools, prompts and resources |
/// | `groups(a, b)` | the groups whose tools come after those of this block |
/// | `group = a` | this block is the group `a`, anywhere in the same crate |
/// | `crate = path` | the path of the crate `toolwright`, if it has another name |
#[proc_macro_attribute]
pub fn toolset(args: TokenStream, item: TokenStream) -> TokenStream {
    toolset::toolset(args.into(), item.into()).into()
}

/// Adds `Serialize`, `Deserialize` and `JsonSchema` to a struct or enum. The package that uses it
/// needs neither serde nor schemars.
///
/// ```
/// use toolwright::{data, tool};
///
/// /// A part of the results.
/// #[data]
/// struct Page {
///     offset: u32,
///     /// At most 100.
///     #[serde(default)]
///     #[schemars(range(max = 100))]
///     size: u32,
/// }
///
/// #[tool]
/// async fn list(page: Page) -> String {
///     format!("{} from {}", page.size, page.offset)
/// }
/// ```
///
/// `#[serde(…)]` and `#[schemars(…)]` work as always: `#[serde(default)]` makes a field optional,
/// `#[serde(deny_unknown_fields)]` refuses unknown names, as a function's own parameters do. The
/// schema lists the variants of an enum with their docs, if they have any. The one key is
/// `crate = path`, the path of the crate `toolwright` if it has another name.
///
/// A struct whose fields are texts, numbers, bools and enums of names, each also in an `Option`, or
/// lists of such enums, is also a `toolwright::Form`, for which a tool can ask its user.
///
/// # What is enforced
///
/// Arguments are decoded by serde. If that fails, the model reads every problem that the schema
/// shows, or else serde's message. If it succeeds, the arguments must also keep the bounds of the
/// schema; these are checked on the JSON text, in one pass over the parts that have bounds. A
/// signature without bounds has no check.
///
/// | keyword of the schema | written as | enforced |
/// |---|---|---|
/// | `type`, `required`, unknown names | the Rust type | by decoding, as the type does it |
/// | range of an integer type | the Rust type | by decoding |
/// | `minimum`, `maximum` | `range(min = 0, max = 9)` | exactly, for all number types |
/// | `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` | `extend("multipleOf" = 5)` | exactly |
/// | `minLength`, `maxLength` | `length(min = 1)`; `char` | yes, in characters |
/// | `minItems`, `maxItems` | `length(min = 1)`; arrays, tuples | yes |
/// | `uniqueItems` | `extend("uniqueItems" = true)`; sets | yes: 1 and 1.0 are equal |
/// | `minProperties`, `maxProperties` | `extend("maxProperties" = 9)` | yes |
/// | `pattern` | `regex(pattern = "^[a-z]+$")` | yes, but see below |
/// | `enum`, `const` of a field | `extend("enum" = ["r", "w"])` | yes |
/// | `enum`, `const` from a Rust enum | its variants | by decoding: `alias` and `other` work |
/// | `items`, `properties`, `patternProperties`, `allOf`, `$ref` | | the bounds inside them |
/// | `anyOf`, `oneOf` | enums, `Option` | the bounds of one alternative that fits the value |
/// | `format`, `not`, `if`, `contains`, `propertyNames`, `dependent…` | `email`, … | no |
///
/// - Attributes of one field are in one list: `#[schemars(length(max = 9), regex(pattern = "a"))]`.
/// - A `pattern` is a regular expression of ECMA-262 with the flag `u`, matched in linear time. One
///   that is none, such as `(?i)a`, is refused when the registry is built, and so is `(?i:a)`,
///   which Node has had since 23. These are part of the schema, but are not enforced, and `lint`
///   names them: one with look-around, back references or `\p{…}`; one of more than 10,000 parts,
///   of which `[a-z]{1,9000}` has 9,000, and a group that is repeated up to three more each time;
///   one with more than 100 groups inside each other.
/// - A key of a map may be any that its type decodes: a `pattern` of that type is only shown.
/// - A value under an `alias` is not checked, because the schema does not know that name.
/// - `null` in a field that is an `Option` counts as its absence; one with `#[serde(default)]`
///   refuses it.
/// - On a type that is nothing but a wrapper, `extend("enum" = …)` looks like the list of a Rust
///   enum; write it on the fields of this type. The list of a Rust enum with `#[schemars(inline)]`
///   looks like one of a field, so that `alias` and `other` do not work.
/// - A schema that is given by hand, to `Tool::new`, is not enforced.
#[proc_macro_attribute]
pub fn data(args: TokenStream, item: TokenStream) -> TokenStream {
    data::expand(args.into(), item.into()).into()
}

/// What `toolwright::tools!` expands to.
#[doc(hidden)]
#[proc_macro]
pub fn tool_list(tokens: TokenStream) -> TokenStream {
    list::list(Noun::Tool, tokens.into()).into()
}

/// What `toolwright::prompts!` expands to.
#[doc(hidden)]
#[proc_macro]
pub fn prompt_list(tokens: TokenStream) -> TokenStream {
    list::list(Noun::Prompt, tokens.into()).into()
}

/// What `toolwright::resources!` expands to.
#[doc(hidden)]
#[proc_macro]
pub fn resource_list(tokens: TokenStream) -> TokenStream {
    list::list(Noun::Resource, tokens.into()).into()
}

#[cfg(test)]
mod tests;
