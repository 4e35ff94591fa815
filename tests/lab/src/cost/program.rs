//! The programs whose builds are compared, and the crates that they are written with.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::project::{Manifest, Project, RMCP, TIME, ours};
use crate::artifact::{root, twin_folder};

/// A user's program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    Stdio,
    StdioServing,
    RmcpStdio,
    RmcpLog,
    Http,
    RmcpHttp,
    Agent,
    AgentAll,
    ClaudeAgentSdkRs,
    CcSdk,
    ClaudeCodes,
}

/// Programs that do the same, ours first.
pub const KINDS: [(&str, &[(Name, &str)]); 3] = [
    (
        "server on stdio, four tools",
        &[
            (Name::Stdio, "ours"),
            (Name::StdioServing, "no commands"),
            (Name::RmcpStdio, "rmcp"),
            (Name::RmcpLog, "rmcp, log"),
        ],
    ),
    ("server on HTTP, two tools", &[(Name::Http, "ours"), (Name::RmcpHttp, "rmcp")]),
    (
        "agent, one tool in its process",
        &[
            (Name::Agent, "ours"),
            (Name::AgentAll, "ours, all"),
            (Name::ClaudeAgentSdkRs, "c-agent-sdk"),
            (Name::CcSdk, "cc-sdk"),
            (Name::ClaudeCodes, "claude-codes"),
        ],
    ),
];

pub const TOKIO: &str =
    "tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n";
const TOKIO_NET: &str =
    "tokio = { version = \"1\", features = [\"macros\", \"net\", \"rt-multi-thread\"] }\n";

impl Name {
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.into_iter().flat_map(|(_, programs)| programs).map(|(name, _)| *name)
    }

    /// Its name in `--only` and in the JSON file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::StdioServing => "stdio-serving",
            Self::RmcpStdio => "rmcp-stdio",
            Self::RmcpLog => "rmcp-log",
            Self::Http => "http",
            Self::RmcpHttp => "rmcp-http",
            Self::Agent => "agent",
            Self::AgentAll => "agent-all",
            Self::ClaudeAgentSdkRs => "claude-agent-sdk-rs",
            Self::CcSdk => "cc-sdk",
            Self::ClaudeCodes => "claude-codes",
        }
    }

    /// Whose it is: another word for `--only`.
    pub fn family(self) -> &'static str {
        match self {
            Self::Stdio | Self::StdioServing | Self::Http | Self::Agent | Self::AgentAll => "ours",
            Self::RmcpStdio | Self::RmcpLog | Self::RmcpHttp => "rmcp",
            _ => "agents",
        }
    }

    /// Writes its package into a folder of its name.
    pub fn write(self, folder: &Path) -> Result<Project> {
        let manifest = Manifest { dependencies: &self.dependencies()?, lock: &self.lock() };
        Project::with(folder, self.as_str(), &manifest, self.files())
    }

    fn dependencies(self) -> Result<String> {
        let pinned = |dependency: &str, others: &str| format!("{dependency}\n{others}{TOKIO}");
        let serde_json = "futures = \"0.3\"\nserde_json = \"1\"\n";
        Ok(match self {
            Self::Stdio => ours(&["toolwright", "toolwright-stdio"], "")? + TIME,
            Self::StdioServing => {
                // `toolwright` has no default features.
                let with_commands = ours(&["toolwright", "toolwright-stdio"], "")?;
                with_commands.replace("features = ", "default-features = false, features = ") + TIME
            }
            Self::Http => ours(&["toolwright"], "http")? + TOKIO_NET,
            Self::Agent => ours(&["toolwright"], "agent")? + TOKIO,
            Self::AgentAll => ours(&["toolwright"], "agent,sessions,view")? + TOKIO,
            Self::RmcpStdio => RMCP.to_owned() + WITHOUT_LOG,
            Self::RmcpLog => RMCP.to_owned() + WITH_LOG,
            Self::RmcpHttp => RMCP_HTTP.to_owned() + TOKIO_NET,
            Self::ClaudeAgentSdkRs => {
                pinned("claude-agent-sdk-rs = \"=0.6.4\"\nanyhow = \"1\"", serde_json)
            }
            Self::CcSdk => pinned("cc-sdk = \"=0.8.1\"", serde_json),
            Self::ClaudeCodes => pinned("claude-codes = \"=2.1.316\"", ""),
        })
    }

    /// The lock file whose versions it has.
    fn lock(self) -> PathBuf {
        match self.family() {
            "ours" => root().join("Cargo.lock"),
            "rmcp" => twin_folder().join("Cargo.lock"),
            _ => root().join("tests/lab/src/cost/agents.lock"),
        }
    }

    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Stdio | Self::StdioServing => &[("main.rs", include_str!("../../calc/main.rs"))],
            Self::RmcpStdio | Self::RmcpLog => &[
                ("main.rs", include_str!("../../../peers/rmcp/src/main.rs")),
                ("args.rs", include_str!("../../../peers/rmcp/src/args.rs")),
            ],
            Self::Http => &[("main.rs", include_str!("programs/http.rs"))],
            Self::RmcpHttp => &[("main.rs", include_str!("../../../peers/rmcp/http/src/main.rs"))],
            Self::Agent => &[("main.rs", include_str!("programs/agent.rs"))],
            Self::AgentAll => &[("main.rs", include_str!("programs/agent_all.rs"))],
            Self::ClaudeAgentSdkRs => {
                &[("main.rs", include_str!("programs/claude_agent_sdk_rs.rs"))]
            }
            Self::CcSdk => &[("main.rs", include_str!("programs/cc_sdk.rs"))],
            Self::ClaudeCodes => &[("main.rs", include_str!("programs/claude_codes.rs"))],
        }
    }
}

/// The feature `log` as in `tests/peers/rmcp`.
const WITHOUT_LOG: &str = "\n[features]\nlog = []\n";
const WITH_LOG: &str = "\
tracing-subscriber = { version = \"=0.3.23\", features = [\"env-filter\", \"fmt\", \"std\"] }

[features]
default = [\"log\"]
log = []
";

/// As in `tests/peers/rmcp/http`.
const RMCP_HTTP: &str = "\
axum = { version = \"0.8\", default-features = false, features = [\"http1\", \"tokio\"] }
rmcp = { version = \"=3.8.0\", features = [\"server\", \"transport-streamable-http-server\"] }
serde = { version = \"1\", features = [\"derive\"] }
";
