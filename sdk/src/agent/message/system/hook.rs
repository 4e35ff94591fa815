use crate::agent::message::envelope::message;

message! {
    /// A hook of the settings begins.
    pub struct HookStartedMessage {
        /** This run of the hook. */ pub hook_id: String,
        /** The hook. */ pub hook_name: String,
        /** What it is run for, such as `PreToolUse`. */ pub hook_event: String,
    }

    /// A hook of the settings says something.
    pub struct HookProgressMessage {
        /** This run of the hook. */ pub hook_id: String,
        /** The hook. */ pub hook_name: String,
        /** What it is run for, such as `PreToolUse`. */ pub hook_event: String,
        /** What it wrote to its standard output so far. */ pub stdout: String,
        /** What it wrote to its standard error so far. */ pub stderr: String,
        /** Both. */ pub output: String,
    }

    /// A hook of the settings ended.
    pub struct HookResponseMessage {
        /** This run of the hook. */ pub hook_id: String,
        /** The hook. */ pub hook_name: String,
        /** What it was run for, such as `PreToolUse`. */ pub hook_event: String,
        /** What it wrote to its standard output. */ pub stdout: String,
        /** What it wrote to its standard error. */ pub stderr: String,
        /** Both. */ pub output: String,
        /** Its exit status. */ pub exit_code: Option<i64>,
        /** `success`, `error` or `cancelled`. */ pub outcome: String,
    }
}
