use super::launched::Part;

/// A difference that is meant. `docs/OPTIONS.md` has them in a table.
#[derive(Debug)]
pub(super) struct Difference {
    /// The flag, `$VARIABLE` or member.
    pub(super) what: &'static str,
    /// The row that has it; all of them if it is empty.
    row: &'static str,
    /// As in the table.
    pub(super) why: &'static str,
}

/// Where we differ from the Python SDK 0.2.184.
pub(super) const PYTHON: &[Difference] = &[
    always("$CLAUDE_CODE_ENTRYPOINT", "it names the SDK"),
    always("$CLAUDE_AGENT_SDK_VERSION", "it is the SDK's version"),
    only(
        "two sandboxes",
        "--settings",
        "a sandbox adds to that of the settings, as with the TypeScript SDK",
    ),
    only("hooks", "hooks", "a matcher that a hook does not have is `null` there, and absent here"),
];

/// Where we differ from the TypeScript SDK 0.3.328.
pub(super) const TYPESCRIPT: &[Difference] = &[
    always("$CLAUDE_CODE_ENTRYPOINT", "it names the SDK"),
    always("$CLAUDE_AGENT_SDK_VERSION", "it is the SDK's version"),
    always("$NoDefaultCurrentDirectoryInExePath", "it is for Windows"),
    only("working folder", "$PWD", "it is the working folder, as with the Python SDK"),
    only(
        "sandbox of JSON",
        "--settings",
        "`failIfUnavailable` of a sandbox that is JSON is not added, as with the Python SDK; \
         `Sandbox` has it",
    ),
    only(
        "server in process",
        "sdkMcpServerManifests",
        "the CLI asks the server itself, as with the Python SDK",
    ),
    only(
        "all skills",
        "--setting-sources",
        "skills are found in the folders of the user and the project, as with the Python SDK",
    ),
];

const fn always(what: &'static str, why: &'static str) -> Difference {
    Difference { what, row: "", why }
}

const fn only(row: &'static str, what: &'static str, why: &'static str) -> Difference {
    Difference { what, row, why }
}

impl Difference {
    pub(super) fn explains(&self, row: &str, part: &Part) -> bool {
        part.name == self.what && (self.row.is_empty() || self.row == row)
    }
}
