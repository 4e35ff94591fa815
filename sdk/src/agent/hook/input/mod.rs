//! The inputs of hooks.

mod agent;
mod elicitation;
mod model;
mod prompt;
mod session;
mod tool;
mod workspace;

pub use agent::*;
pub use elicitation::*;
pub use model::*;
pub use prompt::*;
pub use session::*;
pub use tool::*;
pub use workspace::*;

use crate::agent::wire::record;

/// Defines inputs: the fields that all have, then an event's own. `Name [subagent] { … }` is always
/// about a subagent; `A, B, => { … }` have the same fields.
macro_rules! inputs {
    ($($(#[$meta:meta])* $name:ident,)+ => $fields:tt) => {
        $($crate::agent::hook::input::input!($(#[$meta])* $name () $fields);)*
    };
    ($($(#[$meta:meta])* $name:ident $([$about:ident])? { $($fields:tt)* })*) => {
        $($crate::agent::hook::input::input!($(#[$meta])* $name ($($about)?) { $($fields)* });)*
    };
}

macro_rules! input {
    ($(#[$meta:meta])* $name:ident () { $($fields:tt)* }) => {
        $crate::agent::hook::input::input!($(#[$meta])* $name {
            /// The subagent in which it happens; the main agent if absent.
            agent_id: Option<String>,
            /// The subagent's type, or that of the main agent where it was given one.
            agent_type: Option<String>,
            $($fields)*
        });
    };
    ($(#[$meta:meta])* $name:ident (subagent) { $($fields:tt)* }) => {
        $crate::agent::hook::input::input!($(#[$meta])* $name {
            /// The subagent.
            agent_id: String,
            /// Its type.
            agent_type: String,
            $($fields)*
        });
    };
    ($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $field:ident $(= $member:literal)?: $type:ty $(=> $read:path)?,)*
    }) => {
        $crate::agent::wire::kept! {
            $(#[$meta])*
            pub struct $name {
                /// The event's name.
                pub hook_event_name: String,
                /// The session.
                pub session_id: String,
                /// The file that the session is written to.
                pub transcript_path: String,
                /// The working folder.
                pub cwd: String,
                /// The id of the prompt.
                pub prompt_id: Option<String>,
                /// How much is allowed without asking.
                pub permission_mode: Option<$crate::agent::permission::PermissionMode>,
                /// How hard the model thinks.
                pub effort: Option<$crate::agent::hook::HookEffort>,
                $($(#[$doc])* pub $field: $type $(= $member)? $(=> $read)?,)*
            }
        }

        impl From<$crate::agent::RawJson> for $name {
            fn from(raw: $crate::agent::RawJson) -> Self {
                let raw = raw.into();
                *$crate::agent::wire::read($crate::agent::wire::Cursor::of(&raw))
                    .unwrap_or_default()
            }
        }

        /// For tests of hooks. What is missing is empty.
        impl From<serde_json::Value> for $name {
            fn from(value: serde_json::Value) -> Self {
                Self::from($crate::agent::RawJson::from(value))
            }
        }
    };
}

pub(in crate::agent::hook) use {input, inputs};

record! {
    /// How hard the model thinks.
    pub struct HookEffort {
        /** The level, such as `low` or `high`. */ pub level: String,
    }
}

inputs! {
    /// The input of a hook for an event that this version does not know.
    RawHookInput {}
}
