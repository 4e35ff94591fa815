//! How tools and callbacks find the handle of the run that calls them.

use super::core::Core;
use super::elicitation::ElicitationRequest;
use super::handle::Handle;
use super::hook::HookContext;
use super::permission::PermissionRequest;
use super::run_ref::RunRef;
use crate::Context;

fn handle(run: &RunRef) -> Option<Handle> {
    run.get::<Core>().map(Handle::of)
}

impl Context {
    /// The run whose model calls this tool, if the tool is of an
    /// [in-process server](crate::agent::AgentOptionsBuilder::mcp_server). `None` for any other
    /// call, and once the run is gone.
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, ControlError, PermissionMode, query_with};
    /// use toolwright::testing::ScriptedCli;
    /// use toolwright::{Context, ToolRegistry, json, tool, tools};
    ///
    /// /// Change nothing from here on.
    /// #[tool]
    /// async fn plan(cx: &Context) -> Result<&'static str, ControlError> {
    ///     let Some(agent) = cx.agent() else { return Ok("no agent has called") };
    ///     agent.set_permission_mode(PermissionMode::Plan).await?;
    ///     Ok("planning")
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let modes = ToolRegistry::builder("modes").tools(tools![plan]).build()?;
    /// assert_eq!(modes.call("plan", json!({})).await?.to_text(), "no agent has called");
    ///
    /// let options =
    ///     AgentOptions::builder().allow_registry(&modes).mcp_server(&modes).build()?;
    /// let cli = ScriptedCli::new()
    ///     .turn(|turn| turn.call("mcp__modes__plan", json!({})).say_result());
    /// let result = query_with(cli, "Plan it.", options).await?.finish().await?;
    /// assert_eq!(result.text(), "planning");
    /// # Ok(())
    /// # }
    /// ```
    pub fn agent(&self) -> Option<Handle> {
        self.extension().and_then(handle)
    }
}

impl HookContext {
    /// The run that the hook is called by. `None` in a unit test, and once the run is gone.
    pub fn agent(&self) -> Option<Handle> {
        handle(&self.run)
    }
}

impl PermissionRequest {
    /// The run that asks. `None` in a unit test, and once the run is gone.
    pub fn agent(&self) -> Option<Handle> {
        handle(&self.run)
    }
}

impl ElicitationRequest {
    /// The run in which the question is asked. `None` in a unit test, and once the run is gone.
    pub fn agent(&self) -> Option<Handle> {
        handle(&self.run)
    }
}
