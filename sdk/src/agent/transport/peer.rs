//! The CLI's process as a run sees it.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::watch;

use super::Peer;
use super::child::Child;
use crate::agent::error::ProcessExit;

pub(super) struct ProcessPeer {
    child: Arc<Child>,
    exit: watch::Receiver<Option<ProcessExit>>,
}

impl ProcessPeer {
    pub(super) fn new(child: Arc<Child>) -> Self {
        Self { exit: child.exit(), child }
    }
}

#[async_trait]
impl Peer for ProcessPeer {
    async fn wait(&mut self, closing: bool) -> ProcessExit {
        if closing {
            self.child.close();
        }
        exited(&mut self.exit).await
    }

    fn ender(&self) -> Option<Box<dyn Fn() + Send + Sync>> {
        let child = self.child.clone();
        Some(Box::new(move || child.close()))
    }

    fn id(&self) -> Option<u32> {
        self.child.id()
    }
}

impl Drop for ProcessPeer {
    fn drop(&mut self) {
        self.child.close();
    }
}

/// Waits until an exit is told. It is unknown if whoever would tell it is gone.
pub(crate) async fn exited(exit: &mut watch::Receiver<Option<ProcessExit>>) -> ProcessExit {
    exit.wait_for(Option::is_some).await.ok().and_then(|exit| exit.clone()).unwrap_or_default()
}
