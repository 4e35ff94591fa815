//! Messages about the session's course.

use crate::agent::message::envelope::message;
use crate::agent::wire::record;

message! {
    /// The conversation up to here was summed up.
    pub struct CompactBoundaryMessage {
        /** How. */ pub compact_metadata: CompactMetadata,
    }

    /// What the CLI does.
    pub struct StatusMessage {
        /** `compacting` or `requesting`; `None` when that has ended. */ pub status: Option<String>,
        /// The permission mode, if it changed.
        pub permission_mode: Option<String> = "permissionMode",
        /** How summing up went: `success` or `failed`. */ pub compact_result: Option<String>,
        /** Why it failed. */ pub compact_error: Option<String>,
    }

    /// The CLI is at rest, at work, or waits for an answer.
    pub struct SessionStateChangedMessage {
        /** `idle`, `running` or `requires_action`. */ pub state: String,
    }

    /// The process that runs the session will end.
    pub struct WorkerShuttingDownMessage {
        /** Why. */ pub reason: String,
    }

    /// A part of the transcript could not be given to the session store. Unless it cannot be read,
    /// it is tried again before the next entries of that transcript.
    pub struct MirrorErrorMessage {
        /** Why. */ pub error: String,
        /** Which part. */ pub key: MirrorKey,
    }

    /// The disk is full: what should have been written is lost.
    pub struct SessionWritesLostMessage {
        /** `ENOSPC` or `EDQUOT`. */ pub error_code: String,
        /** What is lost: `transcript` or `global_config`. */ pub lost: Vec<String>,
        /** The sessions whose transcripts have gaps. */ pub transcript_session_ids: Vec<String>,
    }

    /// Files were uploaded.
    pub struct FilesPersistedMessage {
        /** Those that were. */ pub files: Vec<PersistedFile>,
        /** Those that were not. */ pub failed: Vec<FailedFile>,
        /** When, in RFC 3339. */ pub processed_at: String,
    }
}

record! {
    /// How a conversation was summed up.
    pub struct CompactMetadata {
        /** `manual` or `auto`. */ pub trigger: String,
        /** How long it was before, in tokens. */ pub pre_tokens: u64,
        /** How long it is now, in tokens. */ pub post_tokens: Option<u64>,
        /** How long it took, in ms. */ pub duration_ms: Option<u64>,
        /** The part that stays as it was. */ pub preserved_segment: Option<PreservedSegment>,
        /// The messages that stay as they were.
        pub preserved_messages: Option<PreservedMessages>,
    }

    /// A part of a conversation that stays as it was.
    pub struct PreservedSegment {
        /** Its first message. */ pub head_uuid: String,
        /** The message that it follows now. */ pub anchor_uuid: String,
        /** Its last message. */ pub tail_uuid: String,
    }

    /// Messages that stay as they were.
    pub struct PreservedMessages {
        /** The message that they follow now. */ pub anchor_uuid: String,
        /** The messages. */ pub uuids: Vec<String>,
    }

    /// A part of a transcript.
    pub struct MirrorKey {
        /** The project. */ pub project_key: String = "projectKey",
        /** The session. */ pub session_id: String = "sessionId",
        /** The part of it, such as a subagent's. */ pub subpath: Option<String>,
    }

    /// A file that was uploaded.
    pub struct PersistedFile {
        /** Its name. */ pub filename: String,
        /** Its id. */ pub file_id: String,
    }

    /// A file that was not uploaded.
    pub struct FailedFile {
        /** Its name. */ pub filename: String,
        /** Why. */ pub error: String,
    }
}
