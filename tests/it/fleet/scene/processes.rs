use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::{SILENCE, Scene};
use crate::proc;

impl Scene {
    /// The processes of a worker, which are itself and the `claude` of its turn.
    pub(in super::super) fn processes(&self, worker: usize) -> Vec<u32> {
        proc::with_variable(&format!("HOME={}", self.home(worker).display()))
    }

    /// Waits until a worker has ended by itself with an error, and with it its `claude`.
    pub(in super::super) async fn until_ended(&mut self, worker: usize) {
        let ended = timeout(SILENCE, self.workers[worker].wait()).await;
        assert_eq!(ended.expect("the worker goes on").unwrap().code(), Some(1));
        self.until_gone(worker).await;
    }

    /// Waits until the `claude` of a worker that has ended or was killed is gone too.
    pub(in super::super) async fn until_gone(&self, worker: usize) {
        let since = Instant::now();
        while !self.processes(worker).is_empty() {
            assert!(since.elapsed() < SILENCE, "its claude goes on");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
