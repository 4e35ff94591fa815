//! Shows what a run does while it does it: turns, text as it is written, tool calls with their
//! arguments, time and result, progress bars, and the cost at the end. It asks for permission too.
//!
//! ```no_run
//! use toolwright::agent::view::Terminal;
//! use toolwright::agent::{AgentOptions, query};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut terminal = Terminal::stdout();
//! let options = terminal.attach(AgentOptions::builder()).build()?;
//! let result = terminal.watch(query("Which files are here?", options).await?).await?;
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | watch a run at the terminal | [`Terminal`] |
//! | watch a run in the browser | `serve`, with the feature `view-web` |
//! | write events to a file or a log | [`Renderer`] |
//! | show them in a form of your own | [`Events`], which makes an [`Event`] of messages |

mod bar;
mod plain;
mod streamed;
mod style;
mod user_question;
mod wrap;

mod event;
mod events;
mod renderer;

mod always;
mod reply;
mod desk;
mod feed;
mod keyboard;
mod watch_error;

#[cfg(feature = "view-web")]
mod page;
mod terminal;

pub use event::{Event, ModelCost};
pub use events::Events;
#[cfg(feature = "view-web")]
pub use page::{Page, serve};
pub use renderer::Renderer;
pub use style::Style;
pub use terminal::Terminal;
pub use user_question::{UserOption, UserQuestion};
pub use watch_error::WatchError;
