//! A run in the browser: [`Page`].

mod door;
mod hub;
mod server;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;

use futures_core::Stream;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::event::Event;
use super::feed::{Feed, Next};
use super::watch_error::WatchError;
use crate::agent::error::RunError;
use crate::agent::handle::Handle;
use crate::agent::message::{Message, ResultMessage};
use crate::agent::options::AgentOptionsBuilder;
use crate::agent::uuid;
use server::Site;

/// Shows runs in the browser: the conversation, tool calls and when they ran, progress, cost by
/// model; with buttons that answer permission questions and interrupt.
///
/// ```
/// use toolwright::agent::{AgentOptions, query_with, view};
/// # use toolwright::testing::ScriptedCli;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut page = view::serve(0).await?;
/// println!("watch it at {}", page.url());
/// let options = page.attach(AgentOptions::builder()).build()?;
/// # let cli = ScriptedCli::new().turn(|turn| turn.say("It is 42."));
/// page.prompt("What is 2 + 40?");
/// let run = query_with(cli, "What is 2 + 40?", options).await?;
/// let handle = run.handle();
/// page.watch(run, handle).await?;
/// # Ok(())
/// # }
/// ```
///
/// A page that is opened later shows what has happened before, of which the latest 16 MiB are kept,
/// and each question that waits. Dropping it ends the server.
pub struct Page {
    address: SocketAddr,
    site: Site,
    feed: Feed,
    /// Dropping this stops the server.
    _stop: oneshot::Sender<()>,
}

/// Serves a [`Page`] on a port of 127.0.0.1, or with 0 on a free one, from a task of the current
/// runtime. Only this machine can reach it, and only who has the token in its
/// [`url`](Page::url).
///
/// # Errors
///
/// The port cannot be bound.
///
/// # Panics
///
/// Outside of a tokio runtime with I/O enabled.
pub async fn serve(port: u16) -> io::Result<Page> {
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, port)).await?;
    let address = listener.local_addr()?;
    let token = uuid::random().into();
    let site = Site { hub: Arc::default(), token };
    let (stop, stopped) = oneshot::channel();
    tokio::spawn(server::serve(listener, site.clone(), stopped));
    Ok(Page { address, site, feed: Feed::default(), _stop: stop })
}

impl Page {
    /// Where to look. Whoever has it can watch, permit and interrupt.
    pub fn url(&self) -> String {
        format!("http://{}/?token={}", self.address, self.site.token)
    }

    /// Options of runs to watch, as with [`Terminal::attach`](super::Terminal::attach). A question
    /// waits until somebody answers it on the page.
    pub fn attach(&self, options: AgentOptionsBuilder) -> AgentOptionsBuilder {
        self.feed.attach(options)
    }

    /// Shows what somebody asks: prompts are not among the messages of a run.
    pub fn prompt(&mut self, text: impl Into<String>) {
        self.tell(&Event::Prompt { text: text.into() });
    }

    /// Shows the messages of a [`Query`](crate::agent::Query), of a [`Turn`](crate::agent::Turn) or
    /// of another stream, to its end, and gives the last result. The button of the page interrupts
    /// by the handle. If this is dropped before, the page says that the run is no longer watched;
    /// it may be watched again, but a result that was shown before is lost then.
    ///
    /// # Errors
    ///
    /// The run failed, ended without a result, or its result is an error.
    pub async fn watch(
        &mut self,
        messages: impl Stream<Item = Result<Message, RunError>>,
        run: Handle,
    ) -> Result<ResultMessage, WatchError> {
        let mut watching = self.site.hub.watch(run);
        let result = self.read(messages).await;
        watching.is_over = true;
        result
    }

    async fn read(
        &mut self,
        messages: impl Stream<Item = Result<Message, RunError>>,
    ) -> Result<ResultMessage, WatchError> {
        let mut messages = pin!(messages);
        self.feed.begin();
        loop {
            let next = self.feed.next(messages.as_mut()).await;
            self.site.hub.tell_withdrawn();
            match next {
                Next::Events(events) => events.iter().for_each(|event| self.tell(event)),
                Next::Question(question) => self.site.hub.ask(*question),
                Next::End(result) => return Ok((*result)?),
            }
        }
    }

    fn tell(&self, event: &Event) {
        self.site.hub.tell(event);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.site.hub.close();
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the token.
        f.debug_struct("Page").field("address", &self.address).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
