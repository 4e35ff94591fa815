//! One tool: its definition, and how a call of it begins.

mod reply;
mod schema_text;

mod definition;
mod tool_call;
mod layer;
mod handler;
mod into_tool;
#[cfg(feature = "collect")]
mod collected;

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::args::{BadArguments, Input};
use super::call::{Begun, Decoder, Kind, Subject, Work};
use super::callee::{Callee, Function, Handler, Start, StartFn};
use super::context::Caller;
use super::output::ToolResult;
use super::protocol::{Icon, TaskSupport, ToolAnnotations, ToolVisibility, app};
use super::schema::Patterns;
use definition::{Definition, headers};
use layer::{Layered, Layers};

#[cfg(feature = "collect")]
pub use collected::Collected;
pub use into_tool::IntoTool;
pub(crate) use layer::Layer;
pub use layer::Next;
pub(crate) use reply::ToolReply;
pub use schema_text::IntoSchema;
pub use tool_call::ToolCall;

/// A tool of a registry. `#[tool]` makes one from a function, [`Tool::typed`] from a closure, and
/// [`Tool::new`] from a closure and a schema by hand. A clone is cheap.
#[derive(Clone)]
pub struct Tool {
    handled: Arc<Handled>,
    layers: Option<Arc<Layers>>,
}

/// The definition of a tool, and the code behind it.
#[derive(Clone)]
struct Handled {
    definition: Arc<Definition>,
    handler: Handler,
}

impl Tool {
    /// What `#[tool]` expands to: `start` decodes the arguments and calls the function. Without a
    /// call it describes its parameters and its result, and fails instead of decoding.
    #[doc(hidden)]
    pub fn of_function(function: &'static Function, start: StartFn) -> Self {
        Self::derived(Definition::of_function(function), Arc::new(start))
    }

    /// What a method under `#[tool]` expands to: `start` has the value of the method.
    #[doc(hidden)]
    pub fn of_method<F>(function: &'static Function, start: F) -> Self
    where
        F: Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync + 'static,
    {
        Self::derived(Definition::of_function(function), Arc::new(start))
    }

    /// Gives it another name for clients.
    pub fn with_name(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.with(|tool| tool.callee.name = name.into())
    }

    /// Puts a prefix before its name.
    ///
    /// ```
    /// use toolwright::{tool, tools};
    ///
    /// #[tool]
    /// fn add(a: f64, b: f64) -> f64 {
    ///     a + b
    /// }
    ///
    /// let [add] = tools![add].map(|tool| tool.with_prefix("calc_"));
    /// assert_eq!(add.name(), "calc_add");
    /// ```
    #[inline]
    pub fn with_prefix(self, prefix: &str) -> Self {
        let name = format!("{prefix}{}", self.name());
        self.with_name(name)
    }

    /// Sets the display name.
    pub fn with_title(self, title: impl Into<Cow<'static, str>>) -> Self {
        self.with(|tool| tool.callee.title = Some(title.into()))
    }

    /// Replaces the description, for what is known only once the program runs.
    ///
    /// ```
    /// use toolwright::{tool, tools};
    ///
    /// /// Search the notes.
    /// #[tool(read_only)]
    /// fn search(folder: &str) -> String {
    ///     format!("{folder} is empty")
    /// }
    ///
    /// let folders = ["home", "work"]; // of this machine
    /// let tools = tools![search].map(|tool| {
    ///     let description = format!("{} Folders: {}.", tool.description(), folders.join(", "));
    ///     tool.with_description(description)
    /// });
    /// assert_eq!(tools[0].description(), "Search the notes. Folders: home, work.");
    /// ```
    #[inline]
    pub fn with_description(self, description: impl Into<Cow<'static, str>>) -> Self {
        self.with(|tool| tool.callee.description = description.into())
    }

    /// Changes the hints about what the tool does.
    pub fn annotate(self, change: impl FnOnce(&mut ToolAnnotations)) -> Self {
        self.with(|tool| change(&mut tool.annotations))
    }

    /// Adds an icon.
    #[inline]
    pub fn with_icon(self, icon: Icon) -> Self {
        self.with(|tool| tool.callee.icons.push(icon))
    }

    /// Adds an entry to the tool's `_meta`.
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|tool| {
            tool.callee.meta.insert(key.into(), value.into());
            app::encode_view(&mut tool.callee.meta);
        })
    }

    /// Names the view in which hosts with MCP Apps show its results: a resource of the server whose
    /// URI begins with `ui://`. Other hosts show the results as those of any tool.
    ///
    /// ```
    /// use toolwright::{Resource, ToolRegistry, ToolVisibility, tool};
    ///
    /// /// The weather in a city.
    /// #[tool(read_only)]
    /// fn weather(city: &str) -> String {
    ///     format!("It is sunny in {city}.")
    /// }
    ///
    /// let view = Resource::new("ui://weather", "weather", "", async |_, _| "<!doctype html>…");
    /// let tool = weather::tool().with_ui("ui://weather").with_visibility([ToolVisibility::App]);
    /// assert_eq!(tool.meta()["ui"]["visibility"][0], "app");
    /// let registry = ToolRegistry::builder("weather").tool(tool).resources([view]).build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn with_ui(self, uri: impl Into<String>) -> Self {
        self.with(|tool| app::set_view(&mut tool.callee.meta, &uri.into()))
    }

    /// Sets who may call it, in hosts with MCP Apps. Default: the model, and the views of the
    /// server.
    pub fn with_visibility(self, callers: impl IntoIterator<Item = ToolVisibility>) -> Self {
        let callers = callers.into_iter().map(|caller| json!(caller)).collect();
        self.with(|tool| app::set(&mut tool.callee.meta, "visibility", callers))
    }

    /// Sets what the token of a caller must allow, over HTTP with authorization. Default: no more
    /// than every request needs.
    pub fn with_scopes(
        self,
        scopes: impl IntoIterator<Item = impl Into<Cow<'static, str>>>,
    ) -> Self {
        self.with(|tool| tool.scopes = scopes.into_iter().map(Into::into).collect())
    }

    /// Sets how long a call may take before it is stopped and answered with an error result.
    /// Default: no limit.
    #[inline]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(|tool| tool.callee.timeout = Some(timeout))
    }

    /// Lets its calls become tasks (MCP's extension `io.modelcontextprotocol/tasks`, 2026-07-28): a
    /// client that supports the extension gets a task in place of a result that takes longer than a
    /// second, and asks for the result later. Default: every client waits for the result.
    ///
    /// The task runs on when its request is answered, and when an HTTP connection ends. A question
    /// that it asks from then on waits for its answer in the task. Reports of progress are dropped.
    /// The client may ask for the result until an hour after the call has begun; then the task is
    /// stopped. A server has at most 64 tasks; clients of further calls wait for their results.
    /// [`ToolRegistryBuilder::task_ttl`] and [`ToolRegistryBuilder::max_tasks`] set other bounds.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use toolwright::{TaskSupport, tool};
    ///
    /// #[tool]
    /// async fn build() -> &'static str {
    ///     tokio::time::sleep(Duration::from_secs(600)).await;
    ///     "built"
    /// }
    ///
    /// let tool = build::tool().with_task(TaskSupport::Optional);
    /// assert_eq!(tool.task(), Some(TaskSupport::Optional));
    /// ```
    ///
    /// The same is `#[tool(task)]`, and `#[tool(task = "required")]` for
    /// [`TaskSupport::Required`].
    ///
    /// [`ToolRegistryBuilder::max_tasks`]: crate::ToolRegistryBuilder::max_tasks
    /// [`ToolRegistryBuilder::task_ttl`]: crate::ToolRegistryBuilder::task_ttl
    #[inline]
    pub fn with_task(self, support: TaskSupport) -> Self {
        self.with(|tool| tool.task = Some(support))
    }

    /// Sets the schema of the structured content; every success of the tool must have such content.
    pub fn with_output_schema(self, schema: impl IntoSchema) -> Self {
        self.with(|tool| tool.promise(schema.into_schema()))
    }

    /// Adds a layer around each call of this tool, inside of the layers of the registry; see
    /// [`ToolRegistryBuilder::layer`]. The first one added is the outermost. What a call changes in
    /// its clone of the closure, the next one does not see.
    ///
    /// [`ToolRegistryBuilder::layer`]: crate::ToolRegistryBuilder::layer
    pub fn layer<F, Fut>(mut self, layer: F) -> Self
    where
        F: FnOnce(ToolCall, Next) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = ToolResult> + Send + 'static,
    {
        let layers = Arc::make_mut(self.layers.get_or_insert_default());
        layers.of_tool.push(Layer::new(layer));
        self
    }

    /// The name that clients use in `tools/call`.
    pub fn name(&self) -> &str {
        &self.handled.definition.callee.name
    }

    /// The display name.
    pub fn title(&self) -> Option<&str> {
        self.handled.definition.callee.title.as_deref()
    }

    /// The description that the model reads.
    pub fn description(&self) -> &str {
        &self.handled.definition.callee.description
    }

    /// Where its calls should run.
    pub fn kind(&self) -> Kind {
        self.handled.definition.callee.kind
    }

    /// How long a call may take; `None` means no limit.
    pub fn timeout(&self) -> Option<Duration> {
        self.handled.definition.callee.timeout
    }

    /// Whether its calls may become tasks; `None` means that they do not.
    pub fn task(&self) -> Option<TaskSupport> {
        self.handled.definition.task
    }

    /// The input schema as clients get it.
    pub fn input_schema(&self) -> &RawValue {
        self.handled.definition.input()
    }

    /// The output schema, if every success has structured content. Clients of the legacy era get
    /// the schema of `{"result": …}` instead if this one is not one of objects.
    pub fn output_schema(&self) -> Option<&RawValue> {
        self.handled.definition.output.as_ref().map(|output| &*output.schema)
    }

    /// The hints about what it does.
    pub fn annotations(&self) -> &ToolAnnotations {
        &self.handled.definition.annotations
    }

    /// Its icons.
    pub fn icons(&self) -> &[Icon] {
        &self.handled.definition.callee.icons
    }

    /// What the token of a caller must allow, over HTTP with authorization.
    pub fn scopes(&self) -> &[Cow<'static, str>] {
        &self.handled.definition.scopes
    }

    /// Its `_meta`.
    pub fn meta(&self) -> &Map<String, Value> {
        &self.handled.definition.callee.meta
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.handled.definition
    }

    /// The part of it that a session keeps while a call runs.
    pub(crate) fn subject(&self) -> Arc<dyn Subject> {
        self.handled.definition.clone()
    }

    pub(crate) fn decoder(&self) -> Arc<dyn Decoder> {
        match &self.layers {
            None => self.handled.clone(),
            Some(layers) => self.layered(layers),
        }
    }

    #[cold]
    fn layered(&self, layers: &Arc<Layers>) -> Arc<dyn Decoder> {
        let Self { handled, .. } = self;
        let (layers, definition) = (layers.clone(), handled.definition.clone());
        Layered { layers, definition, tool: handled.clone() }.decoder()
    }

    /// The same tool within the layers of a registry, and no more within those of another one.
    pub(crate) fn within(mut self, registry: &[Layer]) -> Self {
        self.layers = Layers::within(self.layers.as_ref(), registry);
        self
    }

    /// A tool whose schemas are derived from what `start` describes.
    fn derived(mut definition: Definition, start: Arc<Start>) -> Self {
        let callee = &mut definition.callee;
        let (handler, output) = Handler::derive(start, callee);
        if let Some(input) = &callee.schema {
            definition.headers = headers(input, Patterns::Compiled, &mut callee.defects);
        }
        if let Some(schema) = output {
            definition.promise(schema.into_schema());
        }
        Self::of(definition, handler)
    }

    /// A tool whose input schema was written by hand.
    #[inline]
    fn by_hand(callee: Callee, schema: Result<Box<RawValue>, String>, start: Arc<Start>) -> Self {
        let mut definition = Definition::new(callee);
        definition.take(schema);
        Self::of(definition, Handler::new(start))
    }

    fn of(definition: Definition, handler: Handler) -> Self {
        let handled = Handled { definition: Arc::new(definition), handler };
        Self { handled: Arc::new(handled), layers: None }
    }

    fn with(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        change(Arc::make_mut(&mut Arc::make_mut(&mut self.handled).definition));
        self
    }
}

impl Decoder for Handled {
    fn subject(&self) -> &dyn Subject {
        &*self.definition
    }

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        self.handler.begin(&self.definition.callee, arguments, caller)
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.handled.definition.fmt(f)
    }
}

#[cfg(test)]
mod tests;
