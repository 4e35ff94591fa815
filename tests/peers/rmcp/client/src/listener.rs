use std::future::{Future, ready};

use rmcp::model::{CustomNotification, ProgressNotificationParam, ProgressToken};
use rmcp::service::NotificationContext;
use rmcp::{ClientHandler, RoleClient};
use tokio::sync::{Mutex, Notify, mpsc};

/// What the server says without being asked.
pub struct Listener {
    told: mpsc::UnboundedSender<ProgressNotificationParam>,
    progress: Mutex<mpsc::UnboundedReceiver<ProgressNotificationParam>>,
    noticed: mpsc::UnboundedSender<CustomNotification>,
    notices: Mutex<mpsc::UnboundedReceiver<CustomNotification>>,
    pub list_changed: Notify,
}

impl Listener {
    pub fn new() -> Self {
        let (told, progress) = mpsc::unbounded_channel();
        let (noticed, notices) = mpsc::unbounded_channel();
        Self {
            told,
            progress: Mutex::new(progress),
            noticed,
            notices: Mutex::new(notices),
            list_changed: Notify::new(),
        }
    }

    /// The next notification outside of the protocol.
    pub async fn notice(&self) -> Option<CustomNotification> {
        self.notices.lock().await.recv().await
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

    fn on_custom_notification(
        &self,
        notice: CustomNotification,
        _: NotificationContext<RoleClient>,
    ) -> impl Future<Output = ()> + Send {
        let _ = self.noticed.send(notice);
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
