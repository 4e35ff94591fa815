//! What is added is checked by itself.

use std::sync::atomic::{AtomicUsize, Ordering};

use toolwright::{Prompt, Resource, State, ToolRegistry, prompt, prompts, tool, tools};

use super::{good, names};

/// That it has no view any more is no defect of another one.
#[test]
fn a_tool_is_added_beside_one_that_build_would_refuse_by_now() {
    let resource = |uri: &'static str| Resource::new(uri, "toy", "", async |_, _| "text");
    let tool = good("weather").with_ui("ui://weather");
    let builder = ToolRegistry::builder("toy").tool(tool).resources([resource("ui://weather")]);
    let registry = builder.build().unwrap();
    assert!(registry.remove_resource("ui://weather"));
    registry.add(good("other")).unwrap();
    let error = registry.add(good("new").with_ui("ui://gone")).unwrap_err();
    assert_eq!(
        error.complaints(),
        ["tool `new`: no resource of the server has the URI of its view `ui://gone`"]
    );
    let error = registry.set_tools(registry.tools()).unwrap_err().to_string();
    assert!(error.starts_with("tool `weather`: no resource of the server"), "{error}");
    assert_eq!(names(&registry), ["weather", "other"]);
}

/// As a function of its own has failed for the moment.
#[test]
fn a_tool_is_added_beside_one_whose_state_is_missing() {
    #[tool]
    fn count(state: State<u8>) -> u8 {
        *state
    }
    #[prompt]
    fn said(state: State<u8>) -> String {
        state.to_string()
    }
    let is_made = AtomicUsize::new(0);
    let make = move || {
        assert_eq!(is_made.fetch_add(1, Ordering::Relaxed), 0, "on purpose");
        7_u8
    };
    let builder = ToolRegistry::builder("toy").session_state(make);
    let registry = builder.tools(tools![count]).prompts(prompts![said]).build().unwrap();
    registry.add(good("other")).unwrap();
    registry.add_prompt(Prompt::new("new", "", [], async |_, _| "Hello")).unwrap();
    let error = registry.add(count::tool().with_name("more")).unwrap_err().to_string();
    assert!(error.starts_with("tool `more`: it takes `State<u8>`"), "{error}");
}
