//! The session, its model and the program that runs it.

use std::path::Path;

use serde_json::json;

use crate::agent::error::ControlError;
use crate::agent::handle::Handle;
use crate::agent::message::ModelInfo;
use crate::agent::options::ThinkingDisplay;
use crate::agent::wire::{Object, kept, record};

kept! {
    /// The CLI's version.
    pub struct BinaryVersion {
        /** The version, such as `2.1.328`. */ pub version: String,
        /** When it was built, in RFC 3339. */ pub build_time: Option<String> = "buildTime",
    }

    /// A conversation as a text.
    pub struct ExportedConversation {
        /** The text. */ pub text: String,
        /** A name for its file. */ pub default_filename: String,
    }

    /// The plan of a conversation in plan mode.
    pub struct Plan {
        /** Whether there is one. */ pub exists: bool,
        /** The plan. */ pub content: Option<String>,
        /** Its file. */ pub path: Option<String>,
    }

    /// What `/status` shows.
    pub struct SessionStatus {
        /** Its parts. */ pub sections: Vec<StatusSection>,
    }
}

record! {
    /// A part of a [`SessionStatus`].
    pub struct StatusSection {
        /** Its title. */ pub title: String,
        /** Its rows. */ pub rows: Vec<StatusRow>,
    }

    /// A row of a [`StatusSection`].
    pub struct StatusRow {
        /** What it is about. */ pub label: String,
        /** What it says. */ pub value: String,
    }

    struct Moved {
        pub status: String,
        pub cwd: Option<String>,
        pub reason: Option<String>,
        pub message: Option<String>,
    }
}

/// The session, its model and the program that runs it.
impl Handle {
    /// The models that the session can use.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn list_models(&self) -> Result<Vec<ModelInfo>, ControlError> {
        self.member("list_models", &json!({}), "models").await
    }

    /// The maximum number of thinking tokens from the next turn on; `None` means as the session
    /// began. `display` changes how thinking is shown, if it is given.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn set_max_thinking_tokens(
        &self,
        tokens: Option<u32>,
        display: Option<ThinkingDisplay>,
    ) -> Result<(), ControlError> {
        let mut body = json!({"max_thinking_tokens": tokens});
        if let Some(display) = display {
            body["thinking_display"] = display.as_str().into();
        }
        self.request("set_max_thinking_tokens", body).await.map(drop)
    }

    /// Gives the session a title, as a user does.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn rename_session(&self, title: &str) -> Result<(), ControlError> {
        let body = json!({"title": title, "source": "host"});
        self.request("rename_session", body).await.map(drop)
    }

    /// Lets a small model find a title for a description of the work. `persist` makes it the
    /// session's. None if it found none.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn generate_session_title(
        &self,
        description: &str,
        persist: bool,
    ) -> Result<Option<String>, ControlError> {
        let body = json!({"description": description, "persist": persist});
        self.member("generate_session_title", &body, "title").await
    }

    /// Moves the session to another working folder, as `/cd` does; it is the root of the tools of
    /// this program, too. With `trusts` the user trusts what is in there, such as hooks and MCP
    /// servers of its settings. A session store keeps the session under its first folder.
    ///
    /// # Errors
    ///
    /// There is no such folder, it is not trusted ([`ControlError::Refused`] with the code
    /// `needs_trust`), and as for all requests: see [`Handle`].
    pub async fn set_cwd(
        &self,
        folder: impl AsRef<Path>,
        trusts: bool,
    ) -> Result<(), ControlError> {
        let folder = folder.as_ref().to_string_lossy();
        let body = Object::default().member("path", &folder).flag("trust_accepted", trusts);
        let body = body.optional("trusted_directory", trusts.then_some(&folder)).finish();
        let answer: Moved = self.typed("set_cwd", &body).await?;
        match answer.status.as_str() {
            "ok" => {
                answer.cwd.into_iter().for_each(|cwd| self.core.servers.move_to(cwd.into()));
                Ok(())
            }
            status => Err(ControlError::Refused {
                message: answer.message.unwrap_or_else(|| format!("{folder}: {status}")),
                code: answer.reason.or(Some(answer.status)),
            }),
        }
    }

    /// The conversation as a text.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn export_conversation(&self) -> Result<ExportedConversation, ControlError> {
        self.typed("export_conversation", &json!({})).await
    }

    /// The plan of plan mode.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_plan(&self) -> Result<Plan, ControlError> {
        self.typed("get_plan", &json!({})).await
    }

    /// What `/status` shows.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_status(&self) -> Result<SessionStatus, ControlError> {
        self.typed("get_status", &json!({})).await
    }

    /// The CLI's version.
    ///
    /// # Errors
    ///
    /// As for all requests: see [`Handle`].
    pub async fn get_binary_version(&self) -> Result<BinaryVersion, ControlError> {
        self.typed("get_binary_version", &json!({})).await
    }
}
