//! Questions to the client, as the author of a tool asks them.

mod meta;
mod elicited;
mod elicit;
mod confirm;
mod url;
mod roots;
mod once;
mod sample;

pub use confirm::Confirm;
pub use elicit::Elicit;
pub use elicited::Elicited;
pub use roots::ListRoots;
pub use sample::Sample;
pub use url::ElicitUrl;
