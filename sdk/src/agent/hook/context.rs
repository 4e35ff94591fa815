//! What a hook gets beside its input.

use crate::CancelToken;
use crate::agent::run_ref::RunRef;

/// What a hook gets beside its input.
///
/// ```
/// use toolwright::agent::hook::{HookContext, HookMatcher, HookOutput, StopInput, event::Stop};
/// use toolwright::agent::AgentOptions;
///
/// async fn stop(_: StopInput, cx: HookContext) -> HookOutput<Stop> {
///     println!("{} in the run of {:?}", cx.event, cx.agent());
///     HookOutput::default()
/// }
///
/// let options = AgentOptions::builder().hook(HookMatcher::stop(), stop).build()?;
/// # Ok::<(), toolwright::agent::options::OptionsError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HookContext {
    /// The event's name.
    pub event: String,
    /// The id of the tool call that the event is about.
    pub tool_use_id: Option<String>,
    /// Cancelled when the CLI no longer waits, because the hook took too long or the turn was
    /// interrupted. The hook's future is then dropped. But if anything has waited for
    /// [`cancelled`](CancelToken::cancelled) by then, the future has a second to end by itself,
    /// for example to clean up; what it returns is not used.
    pub cancel: CancelToken,
    pub(in crate::agent) run: RunRef,
}
