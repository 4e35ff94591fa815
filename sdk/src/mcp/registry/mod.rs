//! The tools of a server, by name.

mod builder;
mod list;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};

use serde::Serialize;

use super::args::Input;
use super::call;
use super::link::Link;
use super::output::ToolResult;
use super::protocol::{Eras, Implementation};
use super::tool::Tool;

pub use builder::{BuildError, ToolRegistryBuilder};

pub(crate) use list::Listing;

/// The tools of one server. A clone is cheap and is the same registry; it serves any number of
/// sessions at once.
///
/// ```
/// use toolwright::{ToolRegistry, json, tool, tools};
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// async fn add(a: f64, b: f64) -> f64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder("calc").tools(tools![add]).build()?;
/// let sum = registry.call("add", json!({"a": 2, "b": 40})).await?;
/// assert_eq!(sum.to_text(), "42");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolRegistry(Arc<Shared>);

struct Shared {
    server: Server,
    tools: RwLock<Arc<Listing>>,
    /// Counts the changes of `tools`, so that a session sees them without taking the lock.
    generation: AtomicU64,
    links: Mutex<Vec<Weak<dyn Link>>>,
}

/// What a registry says of itself.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) info: Implementation,
    /// `info` as JSON text, which goes with every result of the modern era.
    pub(crate) info_json: Vec<u8>,
    pub(crate) instructions: Option<String>,
    pub(crate) eras: Eras,
    pub(crate) page_size: usize,
}

/// Why [`ToolRegistry::call`] did not call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallError {
    /// There is no tool of that name.
    UnknownTool(String),
    /// The arguments cannot be written as a JSON object.
    Arguments(String),
}

impl ToolRegistry {
    /// Begins a registry; `name` is the server's name for programs.
    pub fn builder(name: impl Into<String>) -> ToolRegistryBuilder {
        ToolRegistryBuilder::new(name.into())
    }

    fn new(server: Server, tools: Vec<Tool>) -> Self {
        let listing = Listing::new(tools, server.page_size);
        Self(Arc::new(Shared {
            server,
            tools: RwLock::new(Arc::new(listing)),
            generation: AtomicU64::new(0),
            links: Mutex::default(),
        }))
    }

    /// Calls a tool and waits for its result, without a client: in a test, or from other code. A
    /// plain function runs in place and no timeout is applied. Arguments that the tool refuses, and
    /// a panic, are error results.
    ///
    /// # Errors
    ///
    /// There is no such tool, or `arguments` is no JSON object. Null stands for no arguments.
    pub async fn call(
        &self,
        name: &str,
        arguments: impl Serialize,
    ) -> Result<ToolResult, CallError> {
        let arguments = serde_json::to_string(&arguments)
            .map_err(|error| CallError::Arguments(error.to_string()))?;
        let arguments = if arguments == "null" { "{}".to_owned() } else { arguments };
        if !arguments.starts_with('{') {
            return Err(CallError::Arguments("they are not a JSON object".into()));
        }
        let tool = self
            .listing()
            .get(name)
            .cloned()
            .ok_or_else(|| CallError::UnknownTool(name.to_owned()))?;
        let work = call::catch(tool.name(), || {
            tool.start(&Input::new(tool.definition().expected(), Some(&arguments), None))
        });
        match work {
            Ok(Ok(work)) => Ok(call::Guarded::new(tool, work).await),
            Ok(Err(bad)) => Ok(ToolResult::error(bad.to_string())),
            Err(result) => Ok(result),
        }
    }

    /// Adds a tool while sessions run; clients that listen are told.
    ///
    /// # Errors
    ///
    /// The name is taken, or the tool has what `build` would refuse.
    pub fn add(&self, tool: Tool) -> Result<(), BuildError> {
        self.change(|tools| {
            tools.push(tool);
            builder::check(tools)
        })
    }

    /// Removes a tool while sessions run; clients that listen are told. Says whether there was one.
    /// Calls that run go on.
    pub fn remove(&self, name: &str) -> bool {
        let found = self.listing().get(name).is_some();
        found
            && self
                .change(|tools| {
                    tools.retain(|tool| tool.name() != name);
                    Ok(())
                })
                .is_ok()
    }

    /// The tools, in the order in which they were added.
    pub fn tools(&self) -> Vec<Tool> {
        self.listing().tools().to_vec()
    }

    /// The server's name.
    pub fn name(&self) -> &str {
        &self.0.server.info.name
    }

    /// The names by which Claude knows the tools: `mcp__<server>__<tool>`.
    pub fn allowed_tools(&self) -> Vec<String> {
        self.listing()
            .tools()
            .iter()
            .map(|tool| format!("mcp__{}__{}", self.name(), tool.name()))
            .collect()
    }

    pub(crate) fn server(&self) -> &Server {
        &self.0.server
    }

    /// A number that is another one after every change of the tools.
    pub(crate) fn generation(&self) -> u64 {
        self.0.generation.load(Ordering::Acquire)
    }

    pub(crate) fn listing(&self) -> Arc<Listing> {
        self.0.tools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells the session behind `link` of changes, for as long as it lives.
    pub(crate) fn subscribe(&self, link: Weak<dyn Link>) {
        let mut links = self.0.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.retain(|link| link.strong_count() > 0);
        links.push(link);
    }

    fn change(
        &self,
        change: impl FnOnce(&mut Vec<Tool>) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        {
            let mut current = self.0.tools.write().unwrap_or_else(PoisonError::into_inner);
            let mut tools = current.tools().to_vec();
            change(&mut tools)?;
            *current = Arc::new(Listing::new(tools, self.0.server.page_size));
            self.0.generation.fetch_add(1, Ordering::Release);
        }
        let links: Vec<_> = {
            let links = self.0.links.lock().unwrap_or_else(PoisonError::into_inner);
            links.iter().filter_map(Weak::upgrade).collect()
        };
        links.iter().for_each(|link| link.tools_changed());
        Ok(())
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> =
            self.listing().tools().iter().map(|tool| tool.name().to_owned()).collect();
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

#[cfg(test)]
mod tests;
