//! One session: a runner, and the streams of its client.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::exchange::{self, Shared};
use super::super::open::Place;
use super::super::options::Sessions;
use super::errors::gone;
use super::event_stream::EventStream;
use super::id::Handshake;
use super::streams::{Reader, Streams, first_number};
use crate::host::{Received, Runner, Shell};
use crate::mcp::call::Failure;
use crate::mcp::protocol::Message;
use crate::mcp::{self, Extensions, Host, Outbox};

/// What a client sends after the handshake.
const INITIALIZED: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

pub(super) struct Session {
    pub(super) runner: Arc<Runner>,
    pub(super) streams: Arc<Streams>,
}

/// Passes each message to its stream.
struct Wire(Arc<Streams>);

impl Session {
    /// A session before its handshake.
    pub(super) fn new(shared: &Shared, options: &Sessions) -> Self {
        Self::of(shared, options, None)
    }

    /// A session whose handshake was made elsewhere.
    pub(super) fn revived(shared: &Shared, options: &Sessions, handshake: &Handshake) -> Self {
        let session = Self::of(shared, options, Some(handshake));
        session.streams.set_version(handshake.version);
        session.initialized();
        session
    }

    /// The client is ready for notifications, whichever replica it has told that.
    pub(super) fn initialized(&self) {
        let _ = self.runner.receive(INITIALIZED);
    }

    fn of(shared: &Shared, options: &Sessions, handshake: Option<&Handshake>) -> Self {
        let streams = Streams::new(&shared.options, options.replay, options.replay_for);
        let streams = Arc::new(streams);
        let session = |link| {
            let mut session = mcp::Session::new(&shared.registry, Host::Http, link);
            if let Some(Handshake { version, capabilities }) = handshake {
                session.assume(version);
                session.assume_client(capabilities);
                session.ask_after(first_number());
            }
            if shared.options.json_only {
                session.be_brief();
            }
            session
        };
        let runner = shared.runner(session, Wire(streams.clone()));
        let _ = streams.runner.set(Arc::downgrade(&runner));
        Self { runner, streams }
    }

    /// Passes a message, read from `text`, to the session, and polls its call once. The answer goes
    /// to the reader. Calls that wait keep the place. Returns false if the session has ended.
    pub(super) fn receive(
        &self,
        (reader, place): (&Reader, &Arc<Place>),
        message: Message<'_>,
        text: &str,
        takes_stream: bool,
        extensions: impl FnOnce(&mut Extensions),
    ) -> bool {
        let note = |received: &Received<'_>, outbox: &Outbox| {
            self.streams.note(reader.stream(), place, received, outbox);
        };
        let receive = |session: &mut mcp::Session, outbox: &mut Outbox| {
            session.let_ask(takes_stream);
            session.receive_message(message, text, outbox)
        };
        match self.runner.receive_by(None, text.len(), receive, note) {
            Received::Call(mut call) => {
                let known = call.extensions_mut();
                known.insert(EventStream::of(&self.streams, reader));
                extensions(known);
                exchange::run(&self.runner, call);
            }
            Received::Batch(mut batch) => {
                let Some(first) = batch.calls.first_mut() else {
                    self.runner.flush();
                    return true;
                };
                extensions(first.extensions_mut());
                let extensions = first.extensions_mut().clone();
                for mut call in batch.calls {
                    *call.extensions_mut() = extensions.clone();
                    self.runner.run(call);
                }
            }
            Received::Closed => return false,
            _ => {}
        }
        self.runner.flush();
        true
    }

    /// Answers all calls and ends all streams.
    pub(super) fn close(&self) {
        self.runner.close_by(Failure::SessionEnded);
        self.streams.close();
    }

    /// Fails the questions of calls that run on while nobody has read their streams for this time.
    pub(super) fn give_up_questions(&self, idle: Duration) {
        let calls = self.streams.calls_unread_for(idle);
        if !calls.is_empty() {
            self.runner.give_up_questions(&calls, &gone());
        }
    }

    /// True if a call is not answered.
    pub(super) fn has_calls(&self) -> bool {
        self.streams.has_calls()
    }

    /// When it was used last, if its last response ended at `since`.
    pub(super) fn last_used(&self, since: Instant) -> Instant {
        self.streams.last_end().map_or(since, |end| end.max(since))
    }
}

impl Shell for Wire {
    fn said(&self, outbox: &mut Outbox) {
        self.0.take(outbox);
    }

    fn flush(&self, _: &dyn Fn(Vec<u8>) -> Vec<u8>) {
        self.0.wake();
    }
}
