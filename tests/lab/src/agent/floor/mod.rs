//! Programs by hand, with serde alone, in the place of a client: what the least work takes.
//!
//! They know the lab's CLI and nothing else. The README says what they leave out.

mod run;
mod wire;

mod answers;
mod first;
mod stream;

pub use answers::{When, answers};
pub use first::first;
pub use stream::stream;
