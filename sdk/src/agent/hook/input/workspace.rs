//! Inputs of the events about folders, files and settings.

use super::inputs;
use crate::agent::wire::words;

inputs! {
    /// The input of a `ConfigChange` hook.
    ConfigChangeInput {
        /** Which settings. */ source: ConfigChangeSource,
        /** The file. */ file_path: Option<String>,
    }

    /// The input of a `CwdChanged` hook.
    CwdChangedInput {
        /** The working folder until now. */ old_cwd: String,
        /** The working folder from now on. */ new_cwd: String,
    }

    /// The input of a `DirectoryAdded` hook.
    DirectoryAddedInput {
        /** The folder. */ directory: String,
        /** How it was added. */ source: DirectoryAddedSource,
    }

    /// The input of a `FileChanged` hook.
    FileChangedInput {
        /** The file. */ file_path: String,
        /** What happened to it. */ event: FileChangedEvent,
    }

    /// The input of an `InstructionsLoaded` hook.
    InstructionsLoadedInput {
        /** The file. */ file_path: String,
        /** Whose instructions they are. */ memory_type: MemoryType,
        /** Why it was read. */ load_reason: LoadReason,
        /** The patterns that it is for. */ globs: Vec<String>,
        /** The file that it was read for. */ trigger_file_path: Option<String>,
        /** The file that includes it. */ parent_file_path: Option<String>,
    }

    /// The input of a `WorktreeCreate` hook.
    WorktreeCreateInput {
        /** The worktree's name. */ name: String,
    }

    /// The input of a `WorktreeRemove` hook.
    WorktreeRemoveInput {
        /** Where it is. */ worktree_path: String,
    }
}

words! {
    /// Which settings changed.
    ConfigChangeSource {
        /** Those of the user. */ UserSettings = "user_settings",
        /** Those of the project, which others share. */ ProjectSettings = "project_settings",
        /** Those of the project that are not shared. */ LocalSettings = "local_settings",
        /** Those of the organisation. */ PolicySettings = "policy_settings",
        /** The skills. */ Skills = "skills",
    }

    /// How a folder was added.
    DirectoryAddedSource {
        /** By a command. */ SlashCommand = "slash_command",
        /** By the program that uses the SDK. */ RegisterRepoRoot = "register_repo_root",
    }

    /// What happened to a file.
    FileChangedEvent {
        /** It has other content. */ Change = "change",
        /** It is new. */ Add = "add",
        /** It is gone. */ Unlink = "unlink",
    }

    /// Whose instructions a file has.
    MemoryType {
        /** The user's. */ User = "User",
        /** The project's, which others share. */ Project = "Project",
        /** The project's that are not shared. */ Local = "Local",
        /** The organisation's. */ Managed = "Managed",
    }

    /// Why a file of instructions was read.
    LoadReason {
        /** The session has begun. */ SessionStart = "session_start",
        /** A file in its folder was read. */ NestedTraversal = "nested_traversal",
        /** A file was read that one of its patterns fits. */ PathGlobMatch = "path_glob_match",
        /** Another one includes it. */ Include = "include",
        /** The conversation was compacted. */ Compact = "compact",
    }
}
