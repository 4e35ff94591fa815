//! From the JSON of a call's arguments to the values of a function's parameters.
//!
//! Traits determine the role of a parameter, not the spelling of its type: [`Param`] for values,
//! [`RefParam`] for references. `#[tool]` makes a [`Slot`] or [`RefSlot`] for each parameter, and
//! [`decode`] fills them all in one pass over the arguments.

mod parameter;
mod expected;
mod input;
mod decoder;
mod record;
mod trace;
mod siblings;
mod refusal;
mod mend;
mod secret;
mod explain;
mod shaped;
mod param;
mod state;
mod slot;
mod place;
mod lent;
mod defaulted;
mod roles;
mod decode;
pub(crate) mod texts;
mod places;

pub use decode::decode;
pub use defaulted::{Defaulted, HasJson, HasNoJson, IntoDefault};
pub use explain::BadArguments;
pub use input::Input;
pub use lent::{ByList, ByOption, LentSlot, Owners, RefArgument, by_list, by_option};
pub use param::{Args, Param, RefParam, kind};
pub use parameter::{Parameter, Rule};
pub use place::{ByRef, ByValue, HasNoPlace, HasPlace, Nowhere, by_ref, by_value};
pub use places::Places;
pub use record::{Decoded, Names, Source, decoded};
pub use roles::{
    Argument, Beside, BesideUri, Nameless, OfPrompt, OfVariable, Role, argument, beside,
    beside_uri, nameless, of_prompt, of_variable,
};
pub use slot::{Fill, Keep, Lend, Owned, Place, RefSlot, Slot};
pub use state::State;

pub(crate) use decode::decode_whole;
pub(crate) use expected::Expected;
