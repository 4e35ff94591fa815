//! The agent client, with the real CLI and a scripted model.

mod one_shot;

use std::path::PathBuf;

use toolwright::agent::AgentOptionsBuilder;
use toolwright::testing::ScriptedModel;

use crate::cli::installed;

/// A model and options for the real CLI, in a working folder of its own; `None` where the CLI is not installed.
async fn scene() -> Option<(ScriptedModel, AgentOptionsBuilder)> {
    let cli: PathBuf = installed()?;
    let model = ScriptedModel::start().await.unwrap();
    let options = model.options().cli_path(cli);
    Some((model, options))
}
