//! Copies what the CLI writes into its transcripts to a session store.
//!
//! The CLI says what it has written, the reader notes it here, and a task gives it to the store: at
//! the end of each turn, or when much has gathered. The driver never waits for the store. The
//! consumer does: a result is delivered once all that was written before it is stored.

mod delivery;
mod frames;
mod gate;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::{Notify, watch};
use uuid::Uuid;

use self::delivery::Delivery;
use self::frames::Frames;
pub(crate) use self::gate::MirrorGate;
use super::sessions::{SessionEntry, SessionKey, SessionStore};
use crate::scan;

/// The mirror of one run.
pub(crate) struct Mirror(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes the task.
    woken: Notify,
    /// How many frames were given to the store or given up.
    done: watch::Sender<u64>,
    /// Each frame is given to the store at once.
    is_eager: bool,
}

#[derive(Default)]
struct State {
    frames: Frames,
    /// How many frames have come.
    come: u64,
    /// All that is there is to be given to the store.
    is_wanted: bool,
    has_ended: bool,
    /// Messages that tell of entries which the store has not got.
    errors: VecDeque<Arc<str>>,
}

impl Mirror {
    /// Starts the task, which ends some time after [`Mirror::end`]. Needs a runtime.
    pub(crate) fn start(store: Arc<dyn SessionStore>, is_eager: bool) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            woken: Notify::new(),
            done: watch::Sender::new(0),
            is_eager,
        });
        tokio::spawn(shared.clone().run(Delivery::to(store)));
        Self(shared)
    }

    /// Takes a frame, as the CLI has written it.
    pub(crate) fn take(&self, frame: &str) {
        let path = scan::member(frame, "filePath").and_then(scan::string).unwrap_or_default();
        let entries = scan::member(frame, "entries").and_then(|raw| scan::elements(raw).ok());
        let (Some(key), Some(entries)) = (SessionKey::of_file(&path), entries) else {
            return tracing::warn!(%path, "what the CLI mirrors is not of a session");
        };
        let entries = entries.filter_map(|entry| SessionEntry::parse(entry).ok()).collect();
        let is_due = {
            let state = &mut *self.0.state();
            state.come += 1;
            state.frames.add(key, entries);
            state.is_wanted |= self.0.is_eager || state.frames.are_many();
            state.is_wanted
        };
        if is_due {
            self.0.woken.notify_one();
        }
    }

    /// Gives what there is to the store, as a turn has ended.
    pub(crate) fn flush(&self) {
        self.0.state().is_wanted = true;
        self.0.woken.notify_one();
    }

    /// No more frames will come.
    pub(crate) fn end(&self) {
        self.0.state().has_ended = true;
        self.0.woken.notify_one();
    }

    /// Waits until all that has come is stored or given up.
    pub(crate) async fn flushed(&self) {
        self.0.clone().settled().await;
    }

    /// What holds back the results of the run.
    pub(crate) fn gate(&self) -> MirrorGate {
        MirrorGate::of(self.0.clone())
    }
}

impl Shared {
    async fn run(self: Arc<Self>, delivery: Delivery) {
        let _over = Over(&self);
        loop {
            let (frames, come, has_ended) = {
                let state = &mut *self.state();
                let is_due = state.is_wanted || state.has_ended;
                state.is_wanted = false;
                let frames = is_due.then(|| std::mem::take(&mut state.frames));
                (frames, state.come, state.has_ended)
            };
            let Some(frames) = frames else {
                self.woken.notified().await;
                continue;
            };
            for (key, error) in delivery.send(frames).await {
                tracing::error!(%key, error, "a session store has not got all entries");
                self.state().errors.push_back(message(&key, &error));
            }
            self.done.send_replace(come);
            if has_ended {
                return;
            }
        }
    }

    /// Gives to the store all that has come by now, and waits until that is done.
    async fn settled(self: Arc<Self>) {
        let mut done = self.done.subscribe();
        let come = {
            let state = &mut *self.state();
            state.is_wanted = true;
            state.come
        };
        self.woken.notify_one();
        let _ = done.wait_for(|done| *done >= come).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody waits for a task that is gone: the runtime may be shut down at any time.
struct Over<'a>(&'a Shared);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.done.send_replace(u64::MAX);
    }
}

/// The message that tells the consumer of an error.
fn message(key: &SessionKey, error: &str) -> Arc<str> {
    let mut place = json!({"projectKey": key.project_key, "sessionId": key.session_id});
    if let Some(subpath) = &key.subpath {
        place["subpath"] = json!(subpath);
    }
    let message = json!({
        "type": "system",
        "subtype": "mirror_error",
        "error": error,
        "key": place,
        "uuid": Uuid::new_v4().to_string(),
        "session_id": key.session_id,
    });
    message.to_string().into()
}

#[cfg(test)]
mod tests;
