//! Answers to control requests. What is missing reads as nothing, and `member` finds what has no
//! field here.

use super::message::system::SlashCommand;
use super::message::{AccountInfo, AgentInfo, ModelInfo};
use super::wire::kept;

pub use super::message::{ContextUsage, McpServerStatus};

kept! {
    /// The receipt of an interrupt.
    pub struct Interrupted {
        /** The uuids of user messages that stay in the queue. */ pub still_queued: Vec<String>,
        /** The uuids of user messages that were taken out of it. */ pub cancelled: Vec<String>,
    }

    /// What a rewind did, or would do.
    pub struct Rewound {
        /** Whether it can be done at all. */ pub can_rewind: bool = "canRewind",
        /** Why not; only of a dry run, as the CLI refuses the rewind itself. */
        pub error: Option<String>,
        /** The files that would change; only of a dry run. */
        pub files_changed: Vec<String> = "filesChanged",
        /** Lines that would come back; only of a dry run. */ pub insertions: u64,
        /** Lines that would go; only of a dry run. */ pub deletions: u64,
        /// How many paths stayed as they are, as links may lead elsewhere; never of a dry run.
        pub skipped_links: Option<u64> = "skippedLinks",
    }

    /// The CLI's answer to `initialize`.
    pub struct ServerInfo {
        /** The slash commands there are. */ pub commands: Vec<SlashCommand>,
        /** The agents there are. */ pub agents: Vec<AgentInfo>,
        /** The models there are. */ pub models: Vec<ModelInfo>,
        /** The account. */ pub account: AccountInfo,
        /** The output style. */ pub output_style: String,
        /** The output styles there are. */ pub available_output_styles: Vec<String>,
        /** The id of the process. */ pub pid: Option<u64>,
        /** What the CLI can do beyond the first versions, by name. */
        pub capabilities: Vec<String>,
        /** The CLI's version. */ pub claude_code_version: Option<String>,
        /// Whether the CLI honours `onFailure` of hooks.
        pub hook_on_failure_supported: Option<bool>,
        /** Whether the hooks were taken. */ pub hooks_applied: Option<bool>,
    }
}

impl ServerInfo {
    /// Whether a hook that fails can block what it is about.
    pub(super) fn can_block_on_failure(&self) -> bool {
        self.hook_on_failure_supported == Some(true) && self.hooks_applied != Some(false)
    }
}
