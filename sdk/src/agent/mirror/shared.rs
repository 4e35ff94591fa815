use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::sync::{Notify, watch};

use super::delivery::Delivery;
use super::frames::{Frames, MOST_TRANSCRIPTS};
use crate::agent::options::Folder;
use crate::agent::sessions::SessionKey;
use crate::agent::uuid;

/// What a mirror, its task and its gate share.
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    /// Wakes the task.
    pub(super) woken: Notify,
    /// How many frames were given to the store or given up.
    pub(super) done: watch::Sender<u64>,
    /// Each frame is given to the store at once.
    pub(super) is_eager: bool,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) frames: Frames,
    /// Under which project the store has each session.
    projects: HashMap<String, String>,
    /// How many frames have come.
    pub(super) come: u64,
    /// All that is there is to be given to the store.
    pub(super) is_wanted: bool,
    pub(super) has_ended: bool,
    /// Messages that tell of entries which the store has not got.
    pub(super) errors: VecDeque<Arc<str>>,
    /// Where the CLI's transcripts are, if they are temporary.
    pub(super) folder: Option<Folder>,
}

impl Shared {
    pub(super) fn new(is_eager: bool) -> Self {
        Self {
            state: Mutex::default(),
            woken: Notify::new(),
            done: watch::Sender::new(0),
            is_eager,
        }
    }

    pub(super) async fn run(self: Arc<Self>, mut delivery: Delivery) {
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
            // What the store has not taken waits for the next entries, or the end.
            if has_ended || !frames.is_empty() {
                for (key, error) in delivery.send(frames).await {
                    tracing::error!(%key, error, "a session store has not got all entries");
                    self.state().errors.push_back(message(&key, &error));
                }
            }
            self.done.send_replace(come);
            if has_ended {
                return;
            }
        }
    }

    /// Gives to the store all that has come by now, and waits until that is done. After the end it
    /// waits for the last attempts, too.
    pub(super) async fn settled(self: Arc<Self>) {
        let mut done = self.done.subscribe();
        let come = {
            let state = &mut *self.state();
            state.is_wanted = true;
            if state.has_ended { u64::MAX } else { state.come }
        };
        self.woken.notify_one();
        let _ = done.wait_for(|done| *done >= come).await;
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The project under which the store has a session. It is that of its first entries: the CLI
    /// moves a transcript when its working folder changes, and the store must not have two halves.
    pub(super) fn project_of(&mut self, session: &str, project: &str) -> String {
        if let Some(known) = self.projects.get(session) {
            return known.clone();
        }
        if self.projects.len() < MOST_TRANSCRIPTS {
            self.projects.insert(session.to_owned(), project.to_owned());
        }
        project.to_owned()
    }
}

/// Nobody waits for a task that is gone: the runtime may be shut down at any time.
struct Over<'a>(&'a Shared);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        // Not under the lock, as it deletes files.
        let folder = self.0.state().folder.take();
        drop(folder);
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
        "uuid": uuid::random(),
        "session_id": key.session_id,
    });
    message.to_string().into()
}
