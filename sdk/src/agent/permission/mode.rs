//! How much is allowed without asking.

use crate::agent::wire::words;

words! {
    /// How much is allowed without asking.
    PermissionMode = Default {
        /** The callback is asked about what no rule decides. */ Default = "default",
        /** Edits of files in the working folders are allowed. */ AcceptEdits = "acceptEdits",
        /** Everything is allowed. */ BypassPermissions = "bypassPermissions",
        /** Nothing is changed; a plan is made. */ Plan = "plan",
        /** Calls that would be asked about are denied. */ DontAsk = "dontAsk",
        /** A classifier decides about calls that would be asked about. */ Auto = "auto",
    }
}
