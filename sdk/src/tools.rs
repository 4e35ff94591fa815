//! `tools!`.

/// Collects tools: `tools![add, math::mul]` is an array of `add::tool()` and `math::mul::tool()`.
///
/// ```
/// use toolwright::{ToolRegistry, tool, tools};
///
/// /// Add two numbers.
/// #[tool]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// #[cfg(windows)]
/// #[tool]
/// fn drives() -> Vec<String> {
///     todo!()
/// }
///
/// let tools = tools![add, #[cfg(windows)] drives];
/// let registry = ToolRegistry::builder("calc").tools(tools).build()?;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
///
/// [`Tool::with_prefix`](crate::Tool::with_prefix) and [`Tool::with_name`](crate::Tool::with_name)
/// change names: `tools![add].map(|tool| tool.with_prefix("calc_"))`.
#[macro_export]
macro_rules! tools {
    ($($tools:tt)*) => {
        $crate::__private::tool_list!(($crate) $($tools)*)
    };
}
