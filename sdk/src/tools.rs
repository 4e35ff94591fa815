//! `tools!`, `prompts!` and `resources!`.

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
/// #[cfg(unix)]
/// #[tool(read_only)]
/// fn host() -> std::io::Result<String> {
///     std::fs::read_to_string("/etc/hostname")
/// }
///
/// let tools = tools![add, #[cfg(unix)] host];
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

/// Collects prompts: `prompts![review, git::commit]` is an array of `review::prompt()` and
/// `git::commit::prompt()`. See [`#[prompt]`](macro@crate::prompt).
#[macro_export]
macro_rules! prompts {
    ($($prompts:tt)*) => {
        $crate::__private::prompt_list!(($crate) $($prompts)*)
    };
}

/// Collects resources: `resources![note, git::file]` is an array of `note::resource()` and
/// `git::file::resource()`. See [`#[resource]`](macro@crate::resource).
#[macro_export]
macro_rules! resources {
    ($($resources:tt)*) => {
        $crate::__private::resource_list!(($crate) $($resources)*)
    };
}
