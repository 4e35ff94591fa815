//! How much is allowed without asking.

use crate::agent::wire::words;

words! {
    /// How much is allowed without asking.
    PermissionMode = Default {
        /// What no rule decides is asked.
        Default = "default",
        /// Edits of files in the working folders are allowed.
        AcceptEdits = "acceptEdits",
        /// Everything is allowed.
        BypassPermissions = "bypassPermissions",
        /// Nothing is changed; a plan is made.
        Plan = "plan",
        /// What would be asked is refused.
        DontAsk = "dontAsk",
        /// A classifier decides what would be asked.
        Auto = "auto",
    }
}
