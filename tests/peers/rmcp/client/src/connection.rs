use anyhow::{Context as _, Result, bail};
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::RunningService;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt as _, RoleClient};
use serde_json::Value;
use tokio::process::Command;

use crate::listener::Listener;

pub type Connection = RunningService<RoleClient, Listener>;

/// Which revision is spoken, and how client and server agree on it.
pub struct Era {
    pub version: ProtocolVersion,
    lifecycle: ClientLifecycleMode,
}

impl Era {
    pub fn named(name: &str) -> Result<Self> {
        let modern = || vec![ProtocolVersion::V_2026_07_28];
        let auto =
            || ClientLifecycleMode::Auto { preferred_versions: modern(), legacy_version: None };
        let (version, lifecycle) = match name {
            "legacy" => (ProtocolVersion::V_2025_11_25, ClientLifecycleMode::Initialize),
            "modern" => (
                ProtocolVersion::V_2026_07_28,
                ClientLifecycleMode::Discover { preferred_versions: modern() },
            ),
            "auto" => (ProtocolVersion::V_2026_07_28, auto()),
            // The server is legacy.
            "fallback" => (ProtocolVersion::V_2025_11_25, auto()),
            _ => bail!("there is no era {name}"),
        };
        Ok(Self { version, lifecycle })
    }

    /// Connects over `stdio COMMAND...` or `http URL`.
    pub async fn connect(&self, transport: &str, target: &[String]) -> Result<Connection> {
        let (first, rest) = target.split_first().context("there is no server")?;
        let (listener, lifecycle) = (Listener::new(), self.lifecycle.clone());
        Ok(match transport {
            "stdio" => {
                let mut command = Command::new(first);
                command.args(rest);
                let process = TokioChildProcess::new(command)?;
                listener.serve_with_lifecycle(process, lifecycle).await?
            }
            "http" => {
                let http = StreamableHttpClientTransport::from_uri(first.as_str());
                listener.serve_with_lifecycle(http, lifecycle).await?
            }
            _ => bail!("there is no transport {transport}"),
        })
    }
}

pub fn params(tool: &str, arguments: Value) -> CallToolRequestParams {
    let params = CallToolRequestParams::new(tool.to_owned());
    match arguments {
        Value::Object(arguments) => params.with_arguments(arguments),
        _ => params,
    }
}

pub fn text(result: &CallToolResult) -> String {
    let text = |block: &rmcp::model::ContentBlock| block.as_text().map(|text| text.text.clone());
    result.content.iter().filter_map(text).collect()
}
