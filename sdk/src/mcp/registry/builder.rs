//! Building a registry.

use std::fmt::{self, Display};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::check::{BuildError, Check};
use super::server::Server;
use super::tool_registry::ToolRegistry;
use crate::mcp::context::Context;
use crate::mcp::custom::CustomRequest;
use crate::mcp::extensions::Need;
use crate::mcp::members::{Members, Toolset};
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::{
    Caching, Eras, Icon, Implementation, ListKind, app, is_request, is_reserved, object_json, task,
    write_json,
};
use crate::mcp::resource::Resource;
use crate::mcp::tool::{IntoTool, Tool};

/// Builds a [`ToolRegistry`]; see [`ToolRegistry::builder`].
#[must_use = "a builder does nothing until `build`"]
pub struct ToolRegistryBuilder {
    pub(super) server: Server,
    tools: Vec<Tool>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    states: Vec<Need>,
    complaints: Vec<String>,
}

impl ToolRegistry {
    /// Begins a registry. `name` is the server's name for programs, MCP's `serverInfo.name`. That
    /// of a server for `claude` has 1 to 64 letters, digits, `_` and `-` of ASCII.
    pub fn builder(name: impl Into<String>) -> ToolRegistryBuilder {
        ToolRegistryBuilder::new(name.into())
    }
}

impl ToolRegistryBuilder {
    fn new(name: String) -> Self {
        let info = Implementation { name, version: "0.0.0".into(), ..Implementation::default() };
        let server = Server { info, page_size: usize::MAX, ..Server::default() };
        Self {
            server,
            tools: Vec::new(),
            prompts: Vec::new(),
            resources: Vec::new(),
            states: Vec::new(),
            complaints: Vec::new(),
        }
    }

    /// The server's version, usually `env!("CARGO_PKG_VERSION")`. Default: `0.0.0`.
    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.server.info.version = version.into();
        self
    }

    /// The server's display name, MCP's `serverInfo.title`.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.server.info.title = Some(title.into());
        self
    }

    /// What the server is, in a sentence for people, MCP's `serverInfo.description`. What a model
    /// should know goes into [`instructions`](Self::instructions).
    ///
    /// ```
    /// use toolwright::ToolRegistry;
    ///
    /// let registry = ToolRegistry::builder("calc")
    ///     .title("Calculator")
    ///     .description("Exact arithmetic.")
    ///     .website_url("https://example.com/calc")
    ///     .build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.server.info.description = Some(description.into());
        self
    }

    /// A page with more information, MCP's `serverInfo.websiteUrl`.
    pub fn website_url(mut self, url: impl Into<String>) -> Self {
        self.server.info.website_url = Some(url.into());
        self
    }

    /// Adds an icon of the server.
    #[inline]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.server.info.icons.push(icon);
        self
    }

    /// What a model should know about the server. Claude Code cuts it after 4,096 characters, older
    /// releases after 2,048.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.server.instructions = Some(instructions.into());
        self
    }

    /// Declares a capability outside of MCP, a member of `capabilities.experimental`. Its settings
    /// are a JSON object; null is an empty one. Of two with one name the later one counts.
    /// [`ToolRegistry::notify`] has an example; what the client declares is in
    /// [`Context::client_capabilities`](crate::Context::client_capabilities).
    pub fn experimental(mut self, name: impl Into<String>, settings: impl Serialize) -> Self {
        let name = name.into();
        if let Some(settings) = self.settings(&settings, "experimental capability", &name) {
            self.server.experimental.insert(name, settings);
        }
        self
    }

    /// Declares an extension of MCP that the server supports, a member of `capabilities.extensions`
    /// for clients of 2026-07-28. Its identifier has a prefix. Its settings are a JSON object; null
    /// is an empty one. Of two with one identifier the later one counts. What the client declares
    /// is in [`Context::client_capabilities`](crate::Context::client_capabilities).
    ///
    /// ```
    /// use toolwright::{Context, ToolRegistry, json, tool, tools};
    ///
    /// /// Search the catalogue.
    /// #[tool(read_only)]
    /// async fn search(query: &str, cx: &Context) -> String {
    ///     let extensions = cx.client_capabilities().get("extensions");
    ///     match extensions.and_then(|all| all.get("com.example/catalogue")) {
    ///         Some(_) => format!("catalogue://{query}"),
    ///         None => format!("There is nothing like {query}."),
    ///     }
    /// }
    ///
    /// let registry = ToolRegistry::builder("shop")
    ///     .declare_extension("com.example/catalogue", json!({"currency": "EUR"}))
    ///     .tools(tools![search])
    ///     .build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// Those of tasks and views are declared by the tools and resources that have them.
    pub fn declare_extension(mut self, id: impl Into<String>, settings: impl Serialize) -> Self {
        let id = id.into();
        let parts = id.split_once('/');
        if parts.is_none_or(|(prefix, name)| prefix.is_empty() || name.is_empty()) {
            self.complaints.push(format!(
                "the identifier of the extension `{id}` has no prefix, such as `com.example/`"
            ));
        }
        if [app::EXTENSION, task::EXTENSION].contains(&&*id) {
            self.complaints.push(format!("the extension `{id}` declares itself"));
        }
        if let Some(settings) = self.settings(&settings, "extension", &id) {
            self.server.declared.insert(id, settings);
        }
        self
    }

    /// Settings as a JSON object, unless they are something else.
    fn settings(&mut self, of: &impl Serialize, noun: &str, name: &str) -> Option<Value> {
        let settings = object_json(of);
        match settings.and_then(|text| text.parse().map_err(|error| format!("{error}"))) {
            Ok(settings) => Some(settings),
            Err(why) => {
                let complaint =
                    format!("the settings of the {noun} `{name}` cannot be sent: {why}");
                self.complaints.push(complaint);
                None
            }
        }
    }

    /// Calls a function with the parameters of each notification that clients send by this method,
    /// which is outside of MCP: an object, empty if there are none. Of two functions for one method
    /// the later one counts. It must not block, as the session waits for it: what takes time goes
    /// through a channel or into a task. Over HTTP it is called for clients with a session.
    ///
    /// The context belongs to the session and to no call: [`Context::notify_session`] answers the
    /// client that has sent the notification, and [`Context::extension`] finds the values of the
    /// session, but over HTTP no caller and no head of a request. It cannot ask the client.
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use std::sync::mpsc::channel;
    ///
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Eras, ToolRegistry, json};
    ///
    /// // A channel of Claude Code that also asks its people for permissions.
    /// let (asks, asked) = channel();
    /// let registry = ToolRegistry::builder("chat")
    ///     .experimental("claude/channel", json!({}))
    ///     .experimental("claude/channel/permission", json!({}))
    ///     .eras(Eras::Legacy)
    ///     .on_notification("notifications/claude/channel/permission_request", move |request, cx| {
    ///         asks.send((request, cx)).expect("somebody asks the people");
    ///     })
    ///     .build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    ///
    /// let request = json!({"request_id": "abcde", "tool_name": "Bash"});
    /// client.notify("notifications/claude/channel/permission_request", request)?;
    /// let (request, cx) = asked.recv()?;
    /// let answer = json!({"request_id": request["request_id"], "behavior": "allow"});
    /// cx.notify_session("notifications/claude/channel/permission", answer)?;
    /// assert_eq!(client.notifications()?[0]["params"]["request_id"], "abcde");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_notification(
        mut self,
        method: impl Into<String>,
        listener: impl Fn(Value, Context) + Send + Sync + 'static,
    ) -> Self {
        let method = method.into();
        if is_reserved(&method) {
            self.complaints.push(format!("`{method}` is a notification of the protocol"));
        }
        self.server.listeners.add(method, listener);
        self
    }

    /// Answers the requests that clients send by this method, which is outside of MCP. The handler
    /// gets their parameters decoded into `A`, without `_meta`, which its [`Context`] has; `()`
    /// stands for none. It returns the members of the result, a JSON object. An `Err` is an error
    /// of the protocol with its text, or an [`ErrorObject`] with a code of your own. Of two
    /// handlers for one method the later one counts.
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use toolwright::testing::TestClient;
    /// use toolwright::{Context, ToolRegistry, data, json};
    ///
    /// #[data]
    /// struct Which {
    ///     name: String,
    /// }
    ///
    /// let registry = ToolRegistry::builder("notes")
    ///     .declare_extension("com.example/skills", ())
    ///     .on_request("skills/get", async |which: Which, _: Context| match &*which.name {
    ///         "greet" => Ok(json!({"text": "Say hello."})),
    ///         other => Err(format!("There is no skill {other}.")),
    ///     })
    ///     .build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let skill = client.request("skills/get", json!({"name": "greet"}))?;
    /// assert_eq!(skill["result"]["text"], "Say hello.");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// It is a call as that of a tool: it may report progress, is cancelled by its client, and a
    /// panic is an error. It has no time-out, no layers and no span, and asks its client only in
    /// the revisions before 2026-07-28. Each request runs a clone of the handler, which owns what
    /// it has captured: capture an [`Arc`] of what the requests share. What a request changes in
    /// its clone, the next one does not see.
    ///
    /// [`Context`]: crate::Context
    /// [`ErrorObject`]: crate::mcp::protocol::ErrorObject
    pub fn on_request<A, F, Fut, O, E>(mut self, method: impl Into<String>, handler: F) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: FnOnce(A, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<O, E>> + Send + 'static,
        O: Serialize + 'static,
        E: Display + 'static,
    {
        let method = method.into();
        if is_request(&method) {
            self.complaints.push(format!("`{method}` is a request of the protocol"));
        }
        self.server.custom_requests.push(CustomRequest::new(method, handler));
        self
    }

    /// How long clients may ask for a [task](Tool::with_task), from its beginning: MCP's `ttlMs`.
    /// One that still runs then is stopped. Default: an hour. At most 2⁵³ ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use toolwright::{ToolRegistry, tool, tools};
    ///
    /// /// Train a model, which takes some hours.
    /// #[tool(task)]
    /// async fn train(corpus: &str) {}
    ///
    /// let registry = ToolRegistry::builder("models")
    ///     .tools(tools![train])
    ///     .task_ttl(Duration::from_secs(24 * 3_600))
    ///     .max_tasks(8)
    ///     .build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn task_ttl(mut self, ttl: Duration) -> Self {
        // Ample for every clock, and exact in the numbers of JavaScript.
        self.server.task_bounds.ttl = ttl.min(Duration::from_millis(1 << 53));
        self
    }

    /// How many [tasks](Tool::with_task) run at once; clients of further calls wait for their
    /// results. With `http::RedisTasks` it is the number of a replica, for all registries that
    /// share them. Of the tasks that have ended three times as many are kept for their clients, in
    /// Redis all. Default: 64.
    pub fn max_tasks(mut self, tasks: usize) -> Self {
        self.server.task_bounds.running = tasks;
        self
    }

    /// Which eras of the protocol the server answers. Default: both.
    pub fn eras(mut self, eras: Eras) -> Self {
        self.server.eras = eras;
        self
    }

    /// How many entries a page of a list has, at least 1. Default: all.
    #[inline]
    pub fn page_size(mut self, entries: usize) -> Self {
        self.server.page_size = entries.max(1);
        self
    }

    /// Adds tools, usually `tools![add, echo]`.
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// Adds prompts, usually `prompts![review]`. A server that has none yet and adds some later
    /// calls this with `[]`, so that clients know.
    pub fn prompts(mut self, prompts: impl IntoIterator<Item = Prompt>) -> Self {
        self.server.offers.prompts = true;
        self.prompts.extend(prompts);
        self
    }

    /// Adds resources and templates of resources, usually `resources![note]`. A server that has
    /// none yet and adds some later calls this with `[]`, so that clients know.
    pub fn resources(mut self, resources: impl IntoIterator<Item = Resource>) -> Self {
        self.server.offers.resources = true;
        self.resources.extend(resources);
        self
    }

    /// For how long clients may use `server/discover` and the lists again, and who may. Default:
    /// not at all. The methods below have precedence for their lists; what is read of a resource
    /// has a hint of its own, [`Resource::with_caching`].
    pub fn caching(mut self, caching: Caching) -> Self {
        self.server.caching = caching;
        self
    }

    /// The same for the list of tools.
    #[inline]
    pub fn tools_caching(self, caching: Caching) -> Self {
        self.list_caching(ListKind::Tools, caching)
    }

    /// The same for the list of prompts.
    #[inline]
    pub fn prompts_caching(self, caching: Caching) -> Self {
        self.list_caching(ListKind::Prompts, caching)
    }

    /// The same for the lists of resources and of templates of resources.
    #[inline]
    pub fn resources_caching(self, caching: Caching) -> Self {
        self.list_caching(ListKind::Resources, caching)
    }

    fn list_caching(mut self, list: ListKind, caching: Caching) -> Self {
        self.server.list_caching[list as usize] = Some(caching);
        self
    }

    /// Adds tools, each with a prefix before its name.
    pub fn tools_with_prefix(self, prefix: &str, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools(tools.into_iter().map(|tool| tool.with_prefix(prefix)))
    }

    /// Adds one tool, such as `add::tool()`.
    pub fn tool(mut self, tool: impl IntoTool) -> Self {
        self.tools.push(tool.into_tool());
        self
    }

    /// Adds every free function under `#[tool]` that is linked into the program, in source order:
    /// by crate, file, line and column. The methods of a [`#[toolset]`](macro@crate::toolset) are
    /// not among them, since they need a value.
    ///
    /// ```standalone_crate
    /// use toolwright::ToolRegistry;
    ///
    /// mod math {
    ///     use toolwright::tool;
    ///
    ///     #[tool]
    ///     fn add(a: f64, b: f64) -> f64 {
    ///         a + b
    ///     }
    ///
    ///     #[tool]
    ///     fn negate(a: f64) -> f64 {
    ///         -a
    ///     }
    /// }
    ///
    /// let registry = ToolRegistry::builder("calc").collect().build()?;
    /// assert!(registry.tools().iter().map(|tool| tool.name()).eq(["add", "negate"]));
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// Rust links a dependency only if the program names it: `use my_tools as _;` is enough. On
    /// the other hand, a dependency that has tools adds them here without being asked, and a
    /// program with two registries has the same tools in both. [`tools!`](crate::tools) says
    /// which tools there are.
    #[cfg(feature = "collect")]
    pub fn collect(self) -> Self {
        self.tools(Tool::collected())
    }

    /// Adds the tools, prompts and resources that a value's methods are, which share the value; see
    /// [`#[toolset]`](macro@crate::toolset). An `Arc` of the value is as good.
    pub fn toolset(mut self, set: impl Toolset) -> Self {
        let Members { tools, prompts, resources, .. } = Members::of(set);
        self.server.offers.prompts |= !prompts.is_empty();
        self.server.offers.resources |= !resources.is_empty();
        self.prompts.extend(prompts);
        self.resources.extend(resources);
        self.tools(tools)
    }

    /// Adds the value that parameters [`State<T>`](crate::State) get. An `Arc` of it is as good, so
    /// a program can keep the value for itself as well; of a type that is `dyn`, an `Arc` is the
    /// only way. There is one state of each type.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// use toolwright::{State, ToolRegistry, tool, tools};
    ///
    /// #[derive(Default)]
    /// struct Notes {
    ///     texts: Mutex<Vec<String>>,
    /// }
    ///
    /// /// Keep a note.
    /// #[tool]
    /// async fn keep(note: String, notes: State<Notes>) {
    ///     notes.texts.lock().expect("nobody panics here").push(note);
    /// }
    ///
    /// let registry =
    ///     ToolRegistry::builder("notes").state(Notes::default()).tools(tools![keep]).build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn state<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.note_state::<T>();
        self.extension(value)
    }

    /// Adds a value that each session has for itself: it is made when the session begins, and
    /// dropped with it, or with the last context or task of the session. Parameters
    /// [`State<T>`](crate::State) get it, and [`Context::extension`] finds it.
    ///
    /// ```
    /// # #[cfg(feature = "testing")] {
    /// use std::sync::atomic::{AtomicU64, Ordering};
    ///
    /// use toolwright::testing::TestClient;
    /// use toolwright::{State, ToolRegistry, json, tool, tools};
    ///
    /// #[derive(Default)]
    /// struct Counter {
    ///     count: AtomicU64,
    /// }
    ///
    /// /// Count the calls of this client.
    /// #[tool]
    /// async fn count(counter: State<Counter>) -> u64 {
    ///     counter.count.fetch_add(1, Ordering::Relaxed) + 1
    /// }
    ///
    /// let registry = ToolRegistry::builder("counter")
    ///     .session_state(Counter::default)
    ///     .tools(tools![count])
    ///     .build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// client.call("count", json!({}))?;
    /// assert_eq!(client.call("count", json!({}))?.to_text(), "2");
    ///
    /// let mut other = TestClient::in_memory(&registry)?;
    /// assert_eq!(other.call("count", json!({}))?.to_text(), "1");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A connection is a session. Over HTTP a session begins with `initialize`, if the service has
    /// sessions; one that another replica takes over has a new value there. Clients of 2026-07-28
    /// have no session over HTTP, so each of their requests has a new value: keep what belongs to a
    /// user in a [`state`](Self::state), under the user's name.
    ///
    /// The function must not block. A value that it fails to make, as it panics, is missing. It is
    /// also called to check the registry, and for a [`ToolRegistry::call`].
    ///
    /// [`Context::extension`]: crate::Context::extension
    pub fn session_state<T: Send + Sync + 'static>(
        mut self,
        make: impl Fn() -> T + Send + Sync + 'static,
    ) -> Self {
        self.note_state::<T>();
        self.server.session_states.add(make);
        self
    }

    /// Notes that there is a state of this type.
    fn note_state<T: 'static>(&mut self) {
        let state = Need::of::<T>();
        if self.states.iter().any(|other| other.overlaps(&state)) {
            self.complaints.push(format!("there is more than one state of `{}`", state.name));
        }
        self.states.push(state);
    }

    /// Adds a value that all tools find through their contexts ([`Context::extension`]).
    ///
    /// [`Context::extension`]: crate::Context::extension
    pub fn extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        Arc::make_mut(&mut self.server.extensions).insert(value);
        self
    }

    /// Builds the registry.
    ///
    /// # Errors
    ///
    /// All mistakes at once: invalid and duplicate names, schemas for which a strict client would
    /// drop the whole list, parameters `State<T>` for which there is no state, views of tools that
    /// are no resource, and settings that are no JSON object.
    pub fn build(self) -> Result<ToolRegistry, BuildError> {
        let Self { mut server, tools, prompts, resources, complaints, .. } = self;
        let values = server.values();
        let mut check = Check::new(complaints, &values);
        check.tools(&tools, 0);
        check.views(&tools, |view| resources.iter().any(|resource| resource.has(view)));
        check.prompts(&prompts, 0);
        check.resources(&resources, 0);
        check.finish()?;
        server.offers.completions =
            prompts.iter().any(Prompt::completes) || resources.iter().any(Resource::completes);
        server.offers.views = resources.iter().any(|resource| app::is_view(resource.uri()));
        server.offers.tasks = tools.iter().any(|tool| tool.task().is_some());
        write_json(&mut server.info_json, &server.info);
        Ok(ToolRegistry::new(server, tools, prompts, resources))
    }
}

impl fmt::Debug for ToolRegistryBuilder {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRegistryBuilder")
            .field("name", &self.server.info.name)
            .finish_non_exhaustive()
    }
}
