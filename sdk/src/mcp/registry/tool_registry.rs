//! The registry itself.

use std::borrow::Cow;
#[cfg(feature = "http")]
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use serde::Serialize;

use super::check::{BuildError, Check};
use super::list::{Entry, Named};
use super::live::Live;
use super::server::Server;
use super::tool_filter::ToolFilter;
use crate::mcp::call::{self, Decoder, Subject};
use crate::mcp::link::{Link, Speech, Words};
use crate::mcp::output::ToolResult;
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::{
    CustomNotification, ListKind, NotifyError, Profile, TaskSupport, Topic, object_json, write_json,
};
use crate::mcp::resource::Resource;
use crate::mcp::span::{Method, spanned};
use crate::mcp::tasks::Unreachable;
use crate::mcp::tool::{IntoTool, Tool, ToolReply};
use crate::mcp::words::full_name;

/// The tools of one server, and its prompts and resources. A clone is cheap and refers to the same
/// registry, which serves any number of sessions at once.
///
/// ```
/// use toolwright::{ToolRegistry, tool, tools};
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
/// assert_eq!(registry.allowed_tools(), ["mcp__calc__add"]);
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Clone)]
pub struct ToolRegistry(pub(super) Arc<Shared>);

pub(super) struct Shared {
    server: Server,
    tools: Live<Tool>,
    prompts: Live<Prompt>,
    resources: Live<Resource>,
    templates: Live<Resource>,
    /// The sessions.
    links: Links,
    /// What carries changes to other replicas.
    bridges: Links,
    /// Of the tasks whose ids end in the same digit, one is told of at a time.
    telling: [tokio::sync::Mutex<()>; 16],
}

type Links = Mutex<Vec<Weak<dyn Link>>>;

/// Why [`ToolRegistry::call`] did not call the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// No tool has this name.
    UnknownTool(String),
    /// The arguments cannot be written as a JSON object.
    Arguments(String),
}

impl ToolRegistry {
    pub(super) fn new(
        server: Server,
        tools: Vec<Tool>,
        prompts: Vec<Prompt>,
        resources: Vec<Resource>,
    ) -> Self {
        let mut within = Vec::with_capacity(tools.len());
        for tool in tools {
            within.push(tool.within(&server.layers));
        }
        let (mut templates, mut others) = (Vec::new(), Vec::new());
        for resource in resources {
            match resource.is_template() {
                true => templates.push(resource),
                false => others.push(resource),
            }
        }
        let size = server.page_size;
        Self(Arc::new(Shared {
            server,
            tools: Live::new(within, "tools", size),
            prompts: Live::new(prompts, "prompts", size),
            resources: Live::new(others, "resources", size),
            templates: Live::new(templates, "resourceTemplates", size),
            links: Mutex::default(),
            bridges: Mutex::default(),
            telling: Default::default(),
        }))
    }

    /// Calls a tool and waits for its result, without a client: in a test, or from other code. A
    /// plain function runs in place and no timeout applies. If the tool refuses the arguments or
    /// panics, the result is an error result.
    ///
    /// # Errors
    ///
    /// No tool has this name, or `arguments` is not a JSON object. Null means no arguments.
    pub async fn call(
        &self,
        name: &str,
        arguments: impl Serialize,
    ) -> Result<ToolResult, CallError> {
        let arguments = object_json(&arguments).map_err(CallError::Arguments)?;
        // If the tool is removed meanwhile, the call drops what it has captured.
        let decoder = self.get(name).map(|tool| tool.decoder());
        let decoder = decoder.ok_or_else(|| CallError::UnknownTool(name.to_owned()))?;
        let decoder = spanned(decoder, Method::CallTool, None);
        let nobody = self.0.server.values();
        let result = match call::begin(decoder, Some(&arguments), &nobody) {
            Ok((work, _cancel)) => work.await,
            Err(result) => result,
        };
        Ok(ToolReply::result_of(result))
    }

    /// The tools as a JSON array, in the form of a revision.
    pub(crate) fn write_tools(&self, profile: &Profile, out: &mut Vec<u8>) {
        out.push(b'[');
        for (at, tool) in self.tools().iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            tool.write(profile, out);
        }
        out.push(b']');
    }

    /// Adds a tool while sessions run, and notifies the clients that listen for changes. Its calls
    /// may become tasks only if those of a tool may that `build` had.
    ///
    /// # Errors
    ///
    /// The name is taken, or `build` would refuse the tool.
    pub fn add(&self, tool: impl IntoTool) -> Result<(), BuildError> {
        self.change_tools([tool.into_tool()], |current, tools| {
            let known = current.len();
            current.extend(tools);
            known
        })
    }

    /// Sets which tools there are while sessions run: these instead of all others. Clients that
    /// listen for changes are notified once, and no call finds only some of them, as it can between
    /// [`add`](Self::add) and [`remove`](Self::remove). Running calls continue. As with `add`,
    /// calls may become tasks only if those of a tool may that `build` had.
    ///
    /// ```
    /// use toolwright::{Context, Tool, ToolRegistry, Value, json};
    ///
    /// // A tool of another server, to which it passes its calls on.
    /// let passed_on = |name: &'static str| {
    ///     let pass = async |arguments: Value, _: Context| arguments.to_string();
    ///     Tool::new(name, "", json!({"type": "object"}), pass)
    /// };
    /// let registry = ToolRegistry::builder("gateway");
    /// let registry = registry.tools(["ask", "find"].map(passed_on)).build()?;
    /// // The other server has sent its list again.
    /// registry.set_tools(["find", "show"].map(passed_on))?;
    /// assert_eq!(registry.allowed_tools(), ["mcp__gateway__find", "mcp__gateway__show"]);
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `build` would refuse them. Then nothing has changed.
    pub fn set_tools(&self, tools: impl IntoIterator<Item = Tool>) -> Result<(), BuildError> {
        self.change_tools(tools, |current, tools| {
            *current = tools;
            0
        })
    }

    /// `change` returns how many tools stay, before the new ones.
    fn change_tools(
        &self,
        tools: impl IntoIterator<Item = Tool>,
        change: fn(&mut Vec<Tool>, Vec<Tool>) -> usize,
    ) -> Result<(), BuildError> {
        let layers = &self.0.server.layers;
        let tools: Vec<_> = tools.into_iter().map(|tool| tool.within(layers)).collect();
        let (resources, values) = (self.resources(), self.0.server.values());
        self.0.tools.change(|current| {
            let known = change(current, tools);
            let mut check = Check::new(Vec::new(), &values);
            check.tools(current, known);
            let exists = |view: &str| resources.iter().any(|resource| resource.has(view));
            check.views(&current[known..], exists);
            check.finish()
        })?;
        self.changed(&Topic::List(ListKind::Tools));
        Ok(())
    }

    /// Removes a tool while sessions run, and notifies the clients that listen for changes. Returns
    /// whether it existed. Running calls continue.
    #[inline]
    pub fn remove(&self, name: &str) -> bool {
        let is_removed = self.0.tools.remove(|tool| tool.name() == name);
        if is_removed {
            self.changed(&Topic::List(ListKind::Tools));
        }
        is_removed
    }

    /// Tells the clients that listen for changes that they may have other tools now, as the
    /// [filter](crate::ToolRegistryBuilder::tool_filter) answers differently.
    /// [`Context::tools_changed`](crate::Context::tools_changed) tells one client.
    #[inline]
    pub fn tools_changed(&self) {
        self.changed(&Topic::List(ListKind::Tools));
    }

    /// Sends a notification of your own, outside of MCP, to every client that this process serves
    /// from this registry. `params` is a JSON object; null means none.
    ///
    /// Clients of the revisions before 2026-07-28 get it, once they are initialised. Since then a
    /// client gets what it has asked for, for which MCP has no name here: only
    /// [`Context::notify`] reaches it. As progress is, it is dropped for a client that is behind
    /// with reading, and over HTTP for one without a session or without a stream that listens.
    ///
    /// A channel of Claude Code is a server that sends the model what happens elsewhere:
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Eras, ToolRegistry, json, tool, tools};
    ///
    /// /// Send a message to the chat.
    /// #[tool]
    /// async fn reply(chat_id: &str, text: &str) {}
    ///
    /// let registry = ToolRegistry::builder("chat")
    ///     .experimental("claude/channel", json!({}))
    ///     // Claude Code has no channels in 2026-07-28.
    ///     .eras(Eras::Legacy)
    ///     .instructions("Messages come as <channel source=\"chat\" chat_id=\"…\">. Use `reply`.")
    ///     .tools(tools![reply])
    ///     .build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    ///
    /// // Whoever hears of the event has a clone of the registry.
    /// let event = json!({"content": "Is it done?", "meta": {"chat_id": "7"}});
    /// registry.notify("notifications/claude/channel", event)?;
    /// assert_eq!(client.notifications()?[0]["params"]["content"], "Is it done?");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The method is one of MCP, or `params` is not a JSON object.
    ///
    /// [`Context::notify`]: crate::Context::notify
    pub fn notify(&self, method: &str, params: impl Serialize) -> Result<(), NotifyError> {
        let custom = CustomNotification::new(method, &params)?;
        for link in live(&self.0.links) {
            link.speak(Speech(Words::Custom(&custom)));
        }
        Ok(())
    }

    /// The tool of this name.
    pub fn get(&self, name: &str) -> Option<Tool> {
        self.0.tools.now().get(name).cloned()
    }

    /// The tools, in the order in which they were added.
    pub fn tools(&self) -> Vec<Tool> {
        self.0.tools.now().entries().to_vec()
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.0.server.info.name
    }

    /// The names by which Claude knows the tools: `mcp__<server>__<tool>`, with `_` instead of `.`
    /// and whatever else is no ASCII letter, digit, `_` or `-`.
    #[inline]
    pub fn allowed_tools(&self) -> Vec<String> {
        let tools = self.0.tools.now();
        let name = |tool: &Tool| full_name(self.name(), tool.name());
        tools.entries().iter().map(name).collect()
    }

    pub(crate) fn server(&self) -> &Server {
        &self.0.server
    }

    pub(crate) fn tool_list(&self) -> &Live<Tool> {
        &self.0.tools
    }

    pub(crate) fn prompt_list(&self) -> &Live<Prompt> {
        &self.0.prompts
    }

    /// The resources that are no templates.
    pub(crate) fn resource_list(&self) -> &Live<Resource> {
        &self.0.resources
    }

    pub(crate) fn template_list(&self) -> &Live<Resource> {
        &self.0.templates
    }

    /// Notifies the session behind `link` of changes, while that session exists.
    pub(crate) fn subscribe(&self, link: Weak<dyn Link>) {
        add(&self.0.links, link);
    }

    /// Notifies other replicas of changes through `bridge`, while it exists.
    #[cfg(feature = "http")]
    pub(crate) fn connect(&self, bridge: Weak<dyn Link>) {
        add(&self.0.bridges, bridge);
    }

    /// Notifies the clients that listen for a task of its change.
    pub(crate) async fn task_changed(&self, id: &str) {
        // The log says it if they cannot be reached.
        let _ = self.tell_of(id, Self::changed).await;
    }

    /// Notifies the clients that listen for a task of its change elsewhere.
    #[cfg(feature = "http")]
    pub(crate) async fn task_heard(&self, id: &str) -> Result<(), Unreachable> {
        self.tell_of(id, Self::heard).await
    }

    async fn tell_of(&self, id: &str, tell: fn(&Self, &Topic)) -> Result<(), Unreachable> {
        let Some(tasks) = self.0.server.tasks.get() else { return Ok(()) };
        // Whoever has read an older state has told it before the next one is read. What tells does
        // not wait, so that nobody is in its way.
        let digit = id.bytes().last().and_then(|last| char::from(last).to_digit(16));
        let _turn = self.0.telling[digit.unwrap_or_default() as usize].lock().await;
        if let Some(state) = tasks.get(id).await? {
            tell(self, &Topic::Task(Arc::new(state)));
        }
        Ok(())
    }

    /// The ids of the tasks that clients listen for.
    #[cfg(feature = "http")]
    pub(crate) fn listened_tasks(&self) -> HashSet<Box<str>> {
        let mut ids = HashSet::new();
        for link in live(&self.0.links) {
            link.speak(Speech(Words::Listened(&mut ids)));
        }
        ids
    }

    /// Notifies all sessions of a change here, and the other replicas.
    pub(crate) fn changed(&self, topic: &Topic) {
        self.heard(topic);
        tell(&self.0.bridges, topic);
    }

    /// Notifies all sessions of a change. No bridge is told of one that another has brought, as two
    /// on one bus would pass it on for ever.
    pub(crate) fn heard(&self, topic: &Topic) {
        tell(&self.0.links, topic);
    }
}

fn add(links: &Links, link: Weak<dyn Link>) {
    let mut links = links.lock().unwrap_or_else(PoisonError::into_inner);
    links.retain(|link| link.strong_count() > 0);
    links.push(link);
}

fn tell(links: &Links, topic: &Topic) {
    for link in live(links) {
        link.speak(Speech(Words::Changed(topic)));
    }
}

fn live(links: &Links) -> Vec<Arc<dyn Link>> {
    let mut live = Vec::new();
    for link in &*links.lock().unwrap_or_else(PoisonError::into_inner) {
        if let Some(link) = link.upgrade() {
            live.push(link);
        }
    }
    live
}

impl Entry for Tool {
    const KIND: ListKind = ListKind::Tools;

    fn key(&self) -> Cow<'_, str> {
        self.name().into()
    }

    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        write_json(out, &self.definition().info(profile));
    }
}

impl Named for Tool {
    fn subject(&self) -> Arc<dyn Subject> {
        self.subject()
    }

    fn decoder(&self) -> Arc<dyn Decoder> {
        self.decoder()
    }

    fn filtered(&self, filter: &ToolFilter) -> Arc<dyn Decoder> {
        filter.filtered(self)
    }

    fn task(&self) -> Option<TaskSupport> {
        self.task()
    }
}

impl fmt::Debug for ToolRegistry {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools = self.0.tools.now();
        let names: Vec<_> = tools.entries().iter().map(Tool::name).collect();
        f.debug_struct("ToolRegistry")
            .field("name", &self.name())
            .field("tools", &names)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool(name) => write!(f, "there is no tool `{name}`"),
            Self::Arguments(why) => write!(f, "the arguments cannot be sent: {why}"),
        }
    }
}

impl std::error::Error for CallError {}
