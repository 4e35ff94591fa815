//! Setters for tools and permissions.

use std::path::PathBuf;
use std::sync::Arc;

use super::AgentOptionsBuilder;
use crate::ToolRegistry;
use crate::agent::callback_output::{self, CallbackOutput};
use crate::agent::dialog::{DialogAnswer, DialogRequest};
use crate::agent::elicitation::{ElicitationAnswer, ElicitationRequest};
use crate::agent::hook::{Hook, HookContext, HookEvent, HookMatcher, HookOutput};
use crate::agent::options::agent::AgentDefinition;
use crate::agent::options::server::McpServer;
use crate::agent::options::tools::{PermissionPrompts, QuestionPreview};
use crate::agent::permission::{Permission, PermissionMode, PermissionPolicy, PermissionRequest};
use crate::agent::progress::ToolProgress;
use crate::agent::setters::setters;
use crate::mcp::words::full_name;

setters! {
    /// Tools, permissions, hooks, MCP servers and subagents.
    impl AgentOptionsBuilder, options = self.options.tools;

    /// The built-in tools, such as `["Read", "Grep"]`. Default: `["default"]`, the usual set. Tools
    /// of MCP servers are not affected.
    tools(names: impl IntoIterator<Item: Into<String>>) {
        options.tools.get_or_insert_default().extend(names.into_iter().map(Into::into))
    }
    /// Removes all built-in tools: the model only has the tools of the MCP servers.
    no_tools() { options.tools = Some(Vec::new()) }
    /// Adds rules for tools that may be used without asking: `Read`, `Bash(git log *)`,
    /// `mcp__calc__add`, `mcp__calc__*`. A rule does not add a tool; [`tools`](Self::tools) does.
    allowed_tools(rules: impl IntoIterator<Item: Into<String>>) {
        options.allowed.extend(rules.into_iter().map(Into::into))
    }
    /// Adds rules for tools that may not be used. They override all other rules. A rule that is
    /// only a name hides the tool from the model. The name of a registry's tool is the whole one,
    /// such as `mcp__calc__add`: `add` would be another tool.
    disallowed_tools(rules: impl IntoIterator<Item: Into<String>>) {
        options.disallowed.extend(rules.into_iter().map(Into::into))
    }
    /// The permission mode. [`PermissionMode::BypassPermissions`] needs
    /// [`allow_dangerously_skip_permissions`](Self::allow_dangerously_skip_permissions).
    permission_mode(mode: impl Into<PermissionMode>) { options.permission_mode = Some(mode.into()) }
    /// Permits the mode that asks for nothing, at the start or later. The CLI refuses it to root.
    allow_dangerously_skip_permissions(allow: bool) { options.allow_skipping_permissions = allow }
    /// The full name of an MCP tool that is asked for permission. Cannot be combined with
    /// [`can_use_tool`](Self::can_use_tool).
    permission_prompt_tool(name: impl Into<String>) {
        options.permission_prompt_tool = Some(name.into())
    }
    /// Asks this policy for permission when neither a rule nor the mode decides. It takes the place
    /// of [`can_use_tool`](Self::can_use_tool), and the later one counts.
    permission_policy(policy: PermissionPolicy) {
        options.can_use_tool = Some(policy.into_callback())
    }
    /// Who is asked for permission when neither a rule nor the mode decides. Default: this program.
    permission_prompts(who: PermissionPrompts) { options.permission_prompts = Some(who) }
    /// Adds names that the model may use for other tools, such as `("Bash", "mcp__box__bash")`.
    tool_aliases(aliases: impl IntoIterator<Item = (impl Into<String>, impl Into<String>)>) {
        options.aliases.extend(aliases.into_iter().map(|(from, to)| (from.into(), to.into())))
    }
    /// The form of the previews in the questions of `AskUserQuestion`. Default: none.
    question_preview_format(format: QuestionPreview) { options.question_preview = Some(format) }
    /// Adds an MCP server: a [`ToolRegistry`] of this program, or a [`McpServer`] elsewhere.
    mcp_server(server: impl Into<McpServer>) { options.servers.push(server.into()) }
    /// Adds the MCP servers of a configuration file that the CLI reads. A relative path is relative
    /// to the CLI's working folder.
    mcp_config(path: impl Into<PathBuf>) { options.mcp_configs.push(path.into()) }
    /// Whether only the MCP servers of these options are used, and none of the user, the project or
    /// plugins.
    strict_mcp_config(strict: bool) { options.strict_mcp_config = strict }
    /// Whether the CLI stores the files as they were before each prompt, so that `rewind_files` can
    /// restore them.
    enable_file_checkpointing(yes: bool) { options.file_checkpointing = yes }
}

impl AgentOptionsBuilder {
    /// Allows all tools of a registry under its own name, including tools that are added during the
    /// run: `mcp__<name>__*`. To allow only its present tools, pass
    /// [`ToolRegistry::allowed_tools`] to [`allowed_tools`](Self::allowed_tools).
    pub fn allow_registry(mut self, registry: &ToolRegistry) -> Self {
        let rule = full_name(registry.name(), "") + "*";
        self.options.tools.allowed_registries.push(rule.clone());
        self.allowed_tools([rule])
    }

    /// Asks `callback` for permission when neither a rule nor the mode decides.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwright::agent::{AgentOptions, Permission};
    ///
    /// let denied: Arc<[&str]> = ["Bash", "Write"].into();
    /// let options = AgentOptions::builder()
    ///     .can_use_tool(async move |request| {
    ///         match denied.contains(&request.tool_name.as_str()) {
    ///             true => Permission::deny("not here"),
    ///             false => Permission::allow(),
    ///         }
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    ///
    /// Each request runs a clone of the callback, and an `async move` closure then owns what the
    /// clone has captured. So capture what is cheap to clone, such as an `Arc`. What a request
    /// changes in its clone, the next one does not see: count in an `Arc<AtomicU64>`, and collect
    /// in an `Arc<Mutex<_>>`. When the model calls several tools at once, their requests come at
    /// once too.
    ///
    /// It returns a [`Permission`], or a `Result` of one ([`CallbackOutput`]). An error or a panic
    /// denies the call, and the log has the error. When the CLI takes its request back, the future
    /// is dropped, unless it waits for [`PermissionRequest::cancel`].
    pub fn can_use_tool<F, Fut>(mut self, callback: F) -> Self
    where
        F: FnOnce(PermissionRequest) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<Permission>> + Send + 'static,
    {
        self.options.tools.can_use_tool = Some(callback_output::callback(callback));
        self
    }

    /// Answers the questions of MCP servers to the user with `callback`: those of servers that the
    /// CLI talks to, and those of a [`ToolRegistry`] of this program, whose tools ask with
    /// [`Context::elicit`](crate::Context::elicit). Default: all are
    /// [cancelled](ElicitationRequest::cancel).
    ///
    /// ```
    /// use toolwright::agent::{AgentOptions, query_with};
    /// use toolwright::testing::ScriptedCli;
    /// use toolwright::{AskError, Context, ToolRegistry, data, json, tool, tools};
    ///
    /// #[data]
    /// struct Buyer {
    ///     name: String,
    /// }
    ///
    /// /// Order fruit.
    /// #[tool]
    /// async fn order(fruit: &str, cx: &Context) -> Result<String, AskError> {
    ///     let buyer = cx.elicit::<Buyer>("Who are you?").await?.accepted()?;
    ///     Ok(format!("a {fruit} for {}", buyer.name))
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let shop = ToolRegistry::builder("shop").tools(tools![order]).build()?;
    /// let options = AgentOptions::builder()
    ///     .allow_registry(&shop)
    ///     .mcp_server(shop)
    ///     .on_elicitation(|question| async move { question.accept(json!({"name": "Ann"})) })
    ///     .build()?;
    /// let cli = ScriptedCli::new()
    ///     .turn(|turn| turn.call("mcp__shop__order", json!({"fruit": "pear"})).say_result());
    ///
    /// let result = query_with(cli, "Order a pear.", options).await?.finish().await?;
    /// assert_eq!(result.text(), "a pear for Ann");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Several questions may come at once; each runs a clone of the callback, which returns an
    /// [`ElicitationAnswer`] or a `Result` of one. What a question changes in its clone, the next
    /// one does not see: keep that in an `Arc`. An error or a panic cancels the question. When
    /// nobody wants the answer any more, the future is dropped, unless it waits for
    /// [`ElicitationRequest::withdrawn`]. The CLI's time limit of a tool goes on while the
    /// user thinks. `Elicitation` hooks run for servers that the CLI talks to only.
    pub fn on_elicitation<F, Fut>(mut self, callback: F) -> Self
    where
        F: FnOnce(ElicitationRequest) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<ElicitationAnswer>> + Send + 'static,
    {
        self.options.tools.on_elicitation = Some(callback_output::callback(callback));
        self
    }

    /// Shows the dialogs of the CLI to the user with `callback`, those of these kinds. A dialog of
    /// another kind never comes: the CLI goes on as it does by default. Each dialog runs a clone of
    /// the callback, which returns a [`DialogAnswer`] or a `Result` of one; an error or a panic
    /// cancels the dialog. What a dialog changes in its clone, the next one does not see: keep that
    /// in an `Arc`.
    ///
    /// ```
    /// # use toolwright::agent::AgentOptions;
    /// let options = AgentOptions::builder()
    ///     .on_user_dialog(["refusal_fallback_prompt"], async |dialog| dialog.cancel())
    ///     .build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    pub fn on_user_dialog<F, Fut>(
        mut self,
        kinds: impl IntoIterator<Item: Into<String>>,
        callback: F,
    ) -> Self
    where
        F: FnOnce(DialogRequest) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<DialogAnswer>> + Send + 'static,
    {
        let kinds = kinds.into_iter().map(Into::into).collect();
        self.options.tools.dialogs = Some((kinds, callback_output::callback(callback)));
        self
    }

    /// Tells `listener` of the progress that tools of this program report, beside the CLI, whose
    /// messages do not have it. It must not block: the tool waits until it returns.
    ///
    /// ```
    /// use toolwright::agent::AgentOptions;
    ///
    /// let options = AgentOptions::builder()
    ///     .on_tool_progress(|progress| match progress.total > 0.0 {
    ///         true => eprintln!("{:.0}%", 100.0 * progress.done / progress.total),
    ///         false => eprintln!("{} {}", progress.done, progress.message),
    ///     })
    ///     .build()?;
    /// # Ok::<(), toolwright::agent::options::OptionsError>(())
    /// ```
    pub fn on_tool_progress(
        mut self,
        listener: impl Fn(ToolProgress) + Send + Sync + 'static,
    ) -> Self {
        self.options.tools.on_progress = Some(Arc::new(listener));
        self
    }

    /// Adds a hook: a clone of `callback` is called at each event that `matcher` selects, and may
    /// decide about it.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use toolwright::agent::{AgentOptions, HookMatcher, HookOutput};
    ///
    /// let calls = Arc::new(AtomicUsize::new(0));
    /// let counted = calls.clone();
    /// AgentOptions::builder().hook(HookMatcher::pre_tool_use("*"), async move |input, _| {
    ///     match counted.fetch_add(1, Ordering::Relaxed) {
    ///         100.. => HookOutput::default().deny(format!("too many calls: {}", input.tool_name)),
    ///         _ => HookOutput::default(),
    ///     }
    /// });
    /// ```
    ///
    /// What an event changes in its clone, the next one does not see; so the count is in an `Arc`.
    ///
    /// It returns a [`HookOutput`], or a `Result` of one ([`CallbackOutput`]); an error is as
    /// [`HookOutput::failed`]. Hooks of one event run at the same time. When the CLI no longer
    /// waits for the hook, its future is dropped, unless it waits for [`HookContext::cancel`].
    pub fn hook<E, F, Fut>(mut self, matcher: HookMatcher<E>, callback: F) -> Self
    where
        E: HookEvent,
        F: FnOnce(E::Input, HookContext) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output: CallbackOutput<HookOutput<E>>> + Send + 'static,
    {
        self.options.tools.hooks.0.push(Hook::new(matcher, callback));
        self
    }

    /// Adds subagents, by name. They run in the background by default, which
    /// [`AgentDefinition::background`] explains.
    pub fn agents<N: Into<String>>(
        mut self,
        agents: impl IntoIterator<Item = (N, AgentDefinition)>,
    ) -> Self {
        self.options
            .tools
            .agents
            .extend(agents.into_iter().map(|(name, agent)| (name.into(), agent)));
        self
    }
}
