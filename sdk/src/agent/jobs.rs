//! Callbacks and in-process calls that the CLI has asked for and that have not begun.
//!
//! All that one read brings begins in one task, as most of it is done in its first poll: a task
//! for each would wake other threads, and each answer would be written by itself.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::sleep;

use super::channel::Channel;
use super::control::ReceivedId;

/// How long the first poll of a job may take until another task begins the jobs behind it.
const MOMENT: Duration = Duration::from_millis(2);

/// Polls a callback or a call once; spawns a task for it if it waits for something.
pub(crate) type Job = Box<dyn FnOnce(&mut Context<'_>) + Send>;

/// The jobs of a run that have not begun.
pub(crate) struct Jobs {
    channel: Arc<Channel>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    queue: VecDeque<(ReceivedId, Job)>,
    /// How many jobs were taken from the queue.
    taken: u64,
    /// How many tasks take jobs from the queue.
    workers: usize,
    is_watched: bool,
}

impl Jobs {
    pub(crate) fn new(channel: Arc<Channel>) -> Arc<Self> {
        Arc::new(Self { channel, state: Mutex::default() })
    }

    /// Adds what is to be done for a request.
    pub(crate) fn add(&self, id: ReceivedId, job: Job) {
        self.state().queue.push_back((id, job));
    }

    /// Begins the jobs that were added.
    pub(crate) fn begin(self: &Arc<Self>) {
        let (is_idle, is_watched) = {
            let state = &mut *self.state();
            if state.queue.is_empty() {
                return;
            }
            let is_idle = state.workers == 0;
            state.workers += usize::from(is_idle);
            (is_idle, std::mem::replace(&mut state.is_watched, true))
        };
        // Before the jobs: no other thread of tokio can take over the task that was spawned last.
        if !is_watched {
            tokio::spawn(self.clone().watch());
        }
        if is_idle {
            tokio::spawn(self.clone().work());
        }
    }

    /// The run has ended.
    pub(crate) fn close(&self) {
        let jobs = std::mem::take(&mut self.state().queue);
        drop(jobs);
    }

    async fn work(self: Arc<Self>) {
        poll_fn(|cx| {
            while let Some((id, job)) = self.next() {
                // It may have been cancelled.
                if self.channel.is_open(&id) {
                    job(cx);
                }
            }
            Poll::Ready(())
        })
        .await;
        self.channel.writer.flush();
    }

    fn next(&self) -> Option<(ReceivedId, Job)> {
        let state = &mut *self.state();
        let job = state.queue.pop_front();
        match job {
            Some(_) => state.taken += 1,
            None => state.workers -= 1,
        }
        job
    }

    /// Has another task go on where a job blocks its thread.
    async fn watch(self: Arc<Self>) {
        let mut before = u64::MAX;
        loop {
            let is_stuck = {
                let state = &mut *self.state();
                let is_still = std::mem::replace(&mut before, state.taken) == state.taken;
                if is_still && state.queue.is_empty() {
                    state.is_watched = false;
                    return;
                }
                state.workers += usize::from(is_still);
                is_still
            };
            if is_stuck {
                tokio::spawn(self.clone().work());
            }
            // Of a long queue the first answers need not wait for the last.
            self.channel.writer.flush();
            sleep(MOMENT).await;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
