use serde::Serialize;

/// What a list shows of a session.
///
/// It is made from the first and the last 64 KiB of the transcript, and from short files beside
/// it, so it costs the same for a transcript of any size. Serialised, it has the names of the
/// Python SDK's `SDKSessionInfo`, and absent members are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its id, a UUID.
    pub session_id: String,
    /// What to show for it: its title, or else its last prompt, its summary or its first prompt.
    pub summary: String,
    /// When its transcript was last written, in milliseconds since 1970.
    pub last_modified: u64,
    /// The length of its transcript in bytes. Stores do not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_size: Option<u64>,
    /// The title that the user gave it, or else the one that the CLI generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_title: Option<String>,
    /// The first prompt with a meaning, in one line of at most 200 characters and `…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_prompt: Option<String>,
    /// The branch of git at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git_branch: Option<String>,
    /// Its working folder: the one that it has moved to, or else its first. A
    /// [`SessionStore`](super::SessionStore) has it under its first one still: to resume it from
    /// there, give the run the folder whose sessions were listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The tag that the user gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// When it began, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<u64>,
    /// Whether it is archived, if something says so. Stores do not know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived: Option<bool>,
}
