//! Items for the code that the macros generate, and for toolwright-stdio. They are not for direct
//! use and may change.

use std::error::Error;
use std::future::Future;
use std::path::{Path, PathBuf};
#[cfg(feature = "host")]
use std::time::Duration;

#[cfg(feature = "host")]
use crate::host::Limits;
use crate::mcp::protocol::ErrorObject;
use crate::scan;

pub use crate::__collected as collected;
#[cfg(feature = "http")]
pub use crate::http::is_host;
pub use crate::mcp::args::{
    Argument, BadArguments, Beside, BesideUri, ByList, ByOption, ByRef, ByValue, Decoded,
    Defaulted, Fill, HasJson, HasNoJson, HasNoPlace, HasPlace, Input, IntoDefault, Keep, Lend,
    LentSlot, Nameless, Names, Nowhere, OfPrompt, OfVariable, Owned, Owners, Parameter, Place,
    Places, RefArgument, RefSlot, Role, Rule, Slot, Source, argument, beside, beside_uri, by_list,
    by_option, by_ref, by_value, decode, decoded, kind as param_kind, nameless, of_prompt,
    of_variable,
};
pub use crate::mcp::call::{Ended, Kind, Work};
pub use crate::mcp::callee::Function;
pub use crate::mcp::completion::{Completing, Found, found, kind as values_kind};
pub use crate::mcp::form::{Answer, Choice, Form, FormField};
pub use crate::mcp::members::{Members, OneBlockWithoutGroup};
pub use crate::mcp::output::{IntoOutput, ToolResult, WithCauses, kind as output_kind};
pub use crate::mcp::prompt::Prompt;
pub use crate::mcp::protocol::{Annotations, Caching, Role as Reader, TaskSupport};
pub use crate::mcp::resource::Resource;
pub use crate::mcp::schema::check::distance;
pub use crate::mcp::schema::{
    Field, NoWrapper, Record, Shape, Untagged, Variant, Wrapper, record, untagged,
};
#[cfg(feature = "collect")]
pub use crate::mcp::tool::Collected;
pub use crate::mcp::tool::Tool;
pub use crate::mcp::words::{join, split_first};
#[cfg(feature = "collect")]
pub use inventory;
pub use toolwright_macros::{prompt_list, resource_list, tool_list};

pub use std::borrow::Cow;
pub use std::sync::Arc;
pub use std::vec::Vec;
pub use {schemars, serde, serde_json};

/// The text of the member `name` of an object's JSON text.
pub fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    scan::member(object, name)
}

/// The code of the error for a client that lacks a capability (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = ErrorObject::MISSING_CLIENT_CAPABILITY;

/// Bounds of a session whose calls never go on as tasks.
#[cfg(feature = "host")]
pub fn limits_without_tasks() -> Limits {
    Limits { task_after: Duration::MAX, ..Limits::default() }
}

/// The texts of the elements of an array's JSON text.
pub fn elements(array: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    if let Ok(elements) = scan::elements(array) {
        for element in elements {
            texts.push(element);
        }
    }
    texts
}

/// A function under `#[tool]`, implemented by the type of the same name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tool",
    label = "not a tool",
    note = "a list has the names of functions under `#[tool]`"
)]
pub trait ToolFunction {
    /// The tool.
    fn tool() -> Tool;
}

/// Submits a tool to `ToolRegistryBuilder::collect`. The macro cannot see if the feature is on.
#[cfg(feature = "collect")]
#[doc(hidden)]
#[macro_export]
macro_rules! __collected {
    ($tool:ident) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Collected {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: ::core::line!(),
                column: ::core::column!(),
                tool: <$tool as $crate::__private::ToolFunction>::tool,
            }
        }
    };
}

/// Nothing, as the feature `collect` is off.
#[cfg(not(feature = "collect"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __collected {
    ($tool:ident) => {};
}

/// The tools, prompts or resources of a list. A function of both, the type and the number, would
/// have to be given the number as `_`, which Rust 1.88 does not take.
pub trait Made: Sized {
    /// Makes all of them.
    fn made<const N: usize>(entries: [fn() -> Self; N]) -> [Self; N] {
        entries.map(|make| make())
    }
}

impl Made for Prompt {}
impl Made for Resource {}
impl Made for Tool {}

/// What a call lends as `&Self`.
pub trait HasOwner {
    /// What the call owns for that.
    type Owner;
}

impl<T> HasOwner for T {
    type Owner = T;
}

impl HasOwner for str {
    type Owner = String;
}

impl HasOwner for Path {
    type Owner = PathBuf;
}

impl<T> HasOwner for [T] {
    type Owner = Vec<T>;
}

/// The work of a call.
pub fn work(future: impl Future<Output = Ended> + Send + 'static) -> Result<Work, BadArguments> {
    Ok(Work(Box::pin(future)))
}

/// Makes the end of the work of what a function returned, by its concrete type:
/// `(&&&&&Probe([&raw const returned; 0])).ended(returned)` finds, by autoref, the first of the
/// traits below that applies. The array gives the probe its type without a call. The work itself
/// does this, so that a tool has no other future around that of its function. What it calls is not
/// inlined, for it would be in the code of each tool.
#[derive(Debug)]
pub struct Probe<R>(pub [*const R; 0]);

/// What a boxed error derefs to, those of `anyhow` and the like too.
pub trait Boxed {
    /// The error in the box.
    fn unboxed(&self) -> &(dyn Error + 'static);
}

macro_rules! boxed {
    ($($error:ty),*) => {$(
        impl Boxed for $error {
            fn unboxed(&self) -> &(dyn Error + 'static) {
                self
            }
        }
    )*};
}

boxed!(dyn Error, dyn Error + Send, dyn Error + Send + Sync);

/// The traits of [`Probe`], for one kind of results.
macro_rules! ends {
    ($into:ident::$made:ident, $reply:ident, $nothing:expr) => {
        /// The error that answers the request.
        pub trait HasErrorObject<R, K> {
            /// The end.
            fn ended(&self, returned: R) -> Ended;
        }

        impl<T, K> HasErrorObject<Result<T, ErrorObject>, K> for &&&&Probe<Result<T, ErrorObject>>
        where
            T: $into<K>,
        {
            #[inline(never)]
            fn ended(&self, returned: Result<T, ErrorObject>) -> Ended {
                match returned {
                    Ok(value) => $reply::ended(value.$made()),
                    Err(error) => Ended::refused(error),
                }
            }
        }

        /// Errors with sources: the result names these too.
        pub trait HasCauses<R, K> {
            /// The end.
            fn ended(&self, returned: R) -> Ended;
        }

        impl<T: $into<K>, E: Error, K> HasCauses<Result<T, E>, K> for &&&Probe<Result<T, E>> {
            #[inline(never)]
            fn ended(&self, returned: Result<T, E>) -> Ended {
                $reply::ended(returned.map_err(WithCauses).$made())
            }
        }

        /// The same for boxed errors, which do not implement [`Error`] themselves.
        pub trait HasBoxedCauses<R, K> {
            /// The end.
            fn ended(&self, returned: R) -> Ended;
        }

        impl<T, E, K> HasBoxedCauses<Result<T, E>, K> for &&Probe<Result<T, E>>
        where
            T: $into<K>,
            E: Deref<Target: Boxed>,
        {
            #[inline(never)]
            fn ended(&self, returned: Result<T, E>) -> Ended {
                if let Err(error) = &returned
                    && let Some(error) = error.unboxed().downcast_ref::<ErrorObject>()
                {
                    return Ended::refused(error.clone());
                }
                let unboxed = |error: E| WithCauses(error.unboxed()).to_string();
                $reply::ended(returned.map_err(unboxed).$made())
            }
        }

        /// All other results.
        pub trait HasOutput<R, K> {
            /// The end.
            fn ended(&self, returned: R) -> Ended;
        }

        impl<R: $into<K>, K> HasOutput<R, K> for &Probe<R> {
            #[inline(never)]
            fn ended(&self, returned: R) -> Ended {
                $reply::ended(returned.$made())
            }
        }

        /// A type that cannot be a result, which has failed to compile already; this trait prevents
        /// a second error for the same mistake.
        pub trait HasNoOutput<R> {
            /// Never runs.
            fn ended(&self, _: R) -> Ended {
                $reply::ended($nothing)
            }
        }

        impl<R> HasNoOutput<R> for Probe<R> {}
    };
}

mod tool {
    use std::error::Error;
    use std::ops::Deref;

    use super::{Boxed, Ended, ErrorObject, IntoOutput, Probe, ToolResult, WithCauses};
    use crate::mcp::tool::ToolReply;

    ends!(IntoOutput::into_output, ToolReply, ToolResult::default());
}

pub use tool::{HasBoxedCauses, HasCauses, HasErrorObject, HasNoOutput, HasOutput};

/// What `#[prompt]` needs for the result.
pub mod prompt {
    use std::error::Error;
    use std::ops::Deref;

    use super::{Boxed, Ended, ErrorObject, Probe, WithCauses};
    use crate::mcp::prompt::{IntoMessages, PromptReply};

    /// Compiles for the result of a prompt.
    pub fn returns<T: IntoMessages<K>, K>() {}

    ends!(IntoMessages::into_messages, PromptReply, Ok(Vec::new().into()));
}

/// What `#[resource]` needs for the result.
pub mod resource {
    use std::error::Error;
    use std::ops::Deref;

    use super::{Boxed, Ended, ErrorObject, Probe, WithCauses};
    use crate::mcp::resource::{IntoContents, ResourceReply};

    /// Compiles for the result of a resource.
    pub fn returns<T: IntoContents<K>, K>() {}

    ends!(IntoContents::into_contents, ResourceReply, Ok(None));
}

/// A function under `#[prompt]`, implemented by the type of the same name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no prompt",
    label = "not a prompt",
    note = "a list has the names of functions under `#[prompt]`"
)]
pub trait PromptFunction {
    /// The prompt.
    fn prompt() -> Prompt;
}

/// A function under `#[resource]`, implemented by the type of the same name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no resource",
    label = "not a resource",
    note = "a list has the names of functions under `#[resource]`"
)]
pub trait ResourceFunction {
    /// The resource.
    fn resource() -> Resource;
}
