//! The event stream of a call, for the tool.

use std::sync::{Arc, Weak};

use super::streams::{Reader, Streams};

/// The event stream that will have the answer of a call, in a session that clients can resume
/// ([`Sessions::replay`]). A tool that takes long finds it by
/// [`Context::extension`](crate::Context::extension); where there is none, the client cannot resume
/// the stream.
///
/// ```
/// use toolwright::{Context, http::EventStream, tool};
///
/// /// Take a backup.
/// #[tool]
/// async fn back_up(cx: &Context) -> String {
///     if let Some(stream) = cx.extension::<EventStream>() {
///         // Nothing will come for minutes, and the proxy cuts what is silent.
///         stream.close();
///     }
///     // …
///     "done".to_owned()
/// }
/// ```
///
/// [`Sessions::replay`]: super::super::Sessions::replay
#[derive(Debug)]
pub struct EventStream {
    streams: Weak<Streams>,
    stream: u64,
}

impl EventStream {
    pub(super) fn of(streams: &Arc<Streams>, reader: &Reader) -> Self {
        Self { streams: Arc::downgrade(streams), stream: reader.stream() }
    }

    /// Ends the response that reads the stream, once what the call has sent so far is written. The
    /// call goes on, and its client asks for the rest: after 3 s it resumes the stream, whose
    /// messages wait for it. Ending the next response too makes the client poll (SEP-1699).
    ///
    /// Returns false and changes nothing if no response reads the stream, or if the client could
    /// not resume it: one that takes only JSON has no stream, and those of revisions before
    /// 2025-11-25 do not know that they may.
    pub fn close(&self) -> bool {
        self.streams.upgrade().is_some_and(|streams| streams.cut(self.stream))
    }
}
