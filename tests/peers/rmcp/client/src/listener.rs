use std::future::{Future, ready};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::{Mutex, Notify, mpsc};

/// What the server says without being asked.
pub struct Listener {
    told: mpsc::UnboundedSender<ProgressNotificationParam>,
    progress: Mutex<mpsc::UnboundedReceiver<ProgressNotificationParam>>,
    pub list_changed: Notify,
}

impl Listener {
    pub fn new() -> Self {
        let (told, progress) = mpsc::unbounded_channel();
        Self { told, progress: Mutex::new(progress), list_changed: Notify::new() }
    }

    /// The next progress of a call.
    pub async fn progress_of(&self, call: &ProgressToken) -> Option<ProgressNotificationParam> {
        let mut progress = self.progress.lock().await;
        loop {
            let told = progress.recv().await?;
            if told.progress_token == *call {
                return Some(told);
            }
        }
    }
}

impl ClientHandler for Listener {
    fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send {
        let _ = self.told.send(progress);
        ready(())
    }

    fn on_tool_list_changed(
        &self,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send {
        self.list_changed.notify_one();
        ready(())
    }
}
