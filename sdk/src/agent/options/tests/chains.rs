//! The chains of the API document, as printed there.

use super::harness::registry;
use crate::ToolRegistry;
use crate::agent::hook::{HookContext, HookMatcher, HookOutput, PreToolUseInput};
use crate::agent::options::{AgentOptions, OptionsError};
use crate::agent::permission::{Permission, PermissionRequest};

fn in_process(registry: ToolRegistry) -> Result<AgentOptions, OptionsError> {
    let options = AgentOptions::builder()
        .mcp_server(registry) // answered in this process, over the control protocol
        .allowed_tools(["mcp__calc__*"])
        .model("sonnet")
        .build()?;
    Ok(options)
}

fn callbacks() -> Result<AgentOptions, OptionsError> {
    AgentOptions::builder()
        .can_use_tool(|request: PermissionRequest| async move {
            if request.tool_name == "Bash" {
                Permission::deny("no shell here")
            } else {
                Permission::allow()
            }
        })
        .hook(
            HookMatcher::pre_tool_use("Bash"),
            |input: PreToolUseInput, cx: HookContext| async move {
                let _ = (input, cx);
                HookOutput::default()
            },
        )
        .build()
}

#[test]
fn they_build() {
    let options = in_process(registry("calc")).unwrap();
    assert_eq!(options.warnings(), [""; 0]);
    assert_eq!(options.tools.registries().count(), 1);
    let options = callbacks().unwrap();
    assert!(options.tools.can_use_tool.is_some() && options.tools.needs_answers());
    assert!(options.tools.hooks.initialize().is_some());
}

#[test]
fn callbacks_may_be_async_closures() {
    let options = AgentOptions::builder()
        .can_use_tool(async |request: PermissionRequest| Permission::deny(request.tool_name))
        .hook(HookMatcher::stop(), async |_, _| HookOutput::default())
        .build();
    assert!(options.is_ok());
}

#[test]
fn options_go_to_other_threads_and_are_shared() {
    fn check<T: Clone + Send + Sync + 'static>() {}
    check::<AgentOptions>();
    check::<crate::agent::options::AgentOptionsBuilder>();
}
