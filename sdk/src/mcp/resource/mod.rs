//! One resource or template of resources, and how a `resources/read` begins.

mod template;
mod output;

mod definition;
mod reply;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::args::{BadArguments, Input, texts};
use super::call::{Begun, Decoder, Ended, Subject, Work};
use super::callee::{Callee, Function, Handler, Start, StartFn};
use super::completion::{Completer, Completing, IntoValues};
use super::context::{Caller, Context};
use super::extensions::Extensions;
use super::protocol::{Annotations, Caching, Icon};
use super::schema::keyword::set;
use crate::scan;
use definition::Definition;

pub use output::IntoContents;
pub(crate) use reply::{ResourceReply, not_found};
pub(crate) use template::canonical;

/// A resource of a registry: something that clients read by its URI, or a template of such URIs.
/// `#[resource]` makes one from a function, [`Resource::new`] from a closure. A clone is cheap.
#[derive(Clone)]
pub struct Resource {
    handled: Arc<Handled>,
}

/// The definition of a resource, and the code behind it.
#[derive(Clone)]
struct Handled {
    definition: Arc<Definition>,
    handler: Handler,
    completers: Vec<Completer>,
    decode: Decode,
}

/// How a call begins. The value of a resource has it, so that servers without resources do not
/// compile it.
type Decode = fn(&Handled, Option<&str>, &dyn Caller) -> Result<Begun, BadArguments>;

/// What a client reads, for the closure of [`Resource::new`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Requested {
    /// The URI, as the client has written it.
    pub uri: String,
    /// The values of the template's variables, percent-decoded; empty without a template.
    pub variables: HashMap<String, String>,
}

impl Resource {
    /// What `#[resource]` expands to; see [`Tool::of_function`](crate::Tool::of_function).
    #[doc(hidden)]
    #[inline]
    pub fn of_function(uri: &'static str, function: &'static Function, start: StartFn) -> Self {
        Self::derived(uri, function.callee(), Arc::new(start))
    }

    /// What a method under `#[resource]` expands to.
    #[doc(hidden)]
    pub fn of_method<F>(uri: &'static str, function: &'static Function, start: F) -> Self
    where
        F: Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync + 'static,
    {
        Self::derived(uri, function.callee(), Arc::new(start))
    }

    /// A resource from a closure. `uri` is a URI or a template of URIs: `{x}` in it stands for one
    /// or more characters without `/`, `?` and `#`, `{+x}` for any, and `{?a,b}` at its end for the
    /// members of a query.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::sync::Arc;
    /// use toolwright::{Resource, ToolRegistry};
    ///
    /// let notes = Arc::new(HashMap::from([("7".to_owned(), "Buy milk".to_owned())]));
    /// let note = Resource::new("notes://{id}", "note", "A note", async move |it, _| {
    ///     notes.get(&it.variables["id"]).cloned()
    /// });
    /// let registry = ToolRegistry::builder("notes").resources([note]).build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// Values that could lead out of a directory, such as `..`, fit no variable, and a URI of more
    /// than 8 KiB fits no template. Each `resources/read` runs a clone of the closure, which owns
    /// what it has captured: capture an [`Arc`] of what the calls share. What a call changes in its
    /// clone, the next one does not see.
    pub fn new<F, Fut, O, K>(
        uri: impl Into<Cow<'static, str>>,
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        handler: F,
    ) -> Self
    where
        F: FnOnce(Requested, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = O> + Send + 'static,
        O: IntoContents<K> + 'static,
        K: 'static,
    {
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            let (handler, cx) = (handler.clone(), input.context());
            let mut variables = texts::all(input)?;
            let uri = variables.remove(URI).unwrap_or_default();
            let requested = Requested { uri, variables };
            Ok(Work(Box::pin(async move {
                let returned = handler(requested, cx).await;
                match returned.error_object() {
                    Some(error) => Ended::refused(error.clone()),
                    None => ResourceReply::ended(returned.into_contents()),
                }
            })))
        };
        let definition = Definition::new(uri.into(), Callee::new(name.into(), description.into()));
        Self::of(definition, Handler::new(Arc::new(start)))
    }

    /// Sets the media type, such as `text/markdown`, which the list and the contents have. Default:
    /// for a URI with `ui://` that of a view, `text/html;profile=mcp-app`, and otherwise none.
    pub fn with_mime_type(self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.with(|resource| resource.mime_type = Some(mime_type.into()))
    }

    /// Sets the size in bytes, for a resource that is no template.
    #[inline]
    pub fn with_size(self, bytes: u64) -> Self {
        self.with(|resource| resource.size = Some(bytes))
    }

    /// Sets for whom it is, how important, and when it was last changed.
    #[inline]
    pub fn with_annotations(self, annotations: Annotations) -> Self {
        self.with(|resource| resource.annotations = Some(annotations))
    }

    /// Sets for how long clients may use what they have read, and who may. Default: not at all.
    #[inline]
    pub fn with_caching(self, caching: Caching) -> Self {
        self.with(|resource| resource.caching = caching)
    }

    /// Sets the display name.
    pub fn with_title(self, title: impl Into<Cow<'static, str>>) -> Self {
        self.with(|resource| resource.callee.title = Some(title.into()))
    }

    /// Replaces the description, for what is known only once the program runs.
    #[inline]
    pub fn with_description(self, description: impl Into<Cow<'static, str>>) -> Self {
        self.with(|resource| resource.callee.description = description.into())
    }

    /// Adds an icon.
    #[inline]
    pub fn with_icon(self, icon: Icon) -> Self {
        self.with(|resource| resource.callee.icons.push(icon))
    }

    /// Adds an entry to the resource's `_meta`. `ui` of a view is also in the `_meta` of its
    /// contents.
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|resource| {
            resource.callee.meta.insert(key.into(), value.into());
        })
    }

    /// Sets how long a call may take before it is stopped and answered with an error. Default: no
    /// limit.
    #[inline]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(|resource| resource.callee.timeout = Some(timeout))
    }

    /// Completes a variable of the template while a user types it, as [`Prompt::complete`] does an
    /// argument. What is typed, and what was chosen for the other variables, is empty or can be the
    /// value of its variable: for text such as `../` the client gets no values, and the function is
    /// not called.
    ///
    /// [`Prompt::complete`]: crate::Prompt::complete
    pub fn complete<F, T, K>(mut self, variable: impl Into<Cow<'static, str>>, complete: F) -> Self
    where
        F: Fn(String, Completing) -> T + Send + Sync + 'static,
        T: IntoValues<K>,
    {
        let completer = Completer::new(variable.into(), complete);
        Arc::make_mut(&mut self.handled).completers.insert(0, completer);
        self
    }

    /// The URI, or the template of URIs.
    pub fn uri(&self) -> &str {
        &self.definition().uri
    }

    /// True if it is a template of URIs.
    pub fn is_template(&self) -> bool {
        self.definition().is_template()
    }

    /// The name for programs.
    pub fn name(&self) -> &str {
        &self.definition().callee.name
    }

    /// The display name.
    pub fn title(&self) -> Option<&str> {
        self.definition().callee.title.as_deref()
    }

    /// The description.
    pub fn description(&self) -> &str {
        &self.definition().callee.description
    }

    /// The media type.
    pub fn mime_type(&self) -> Option<&str> {
        self.definition().mime_type.as_deref()
    }

    /// True if `uri` is that of the resource, or fits the template.
    pub fn has(&self, uri: &str) -> bool {
        let template = self.definition().template.as_ref();
        template.is_ok_and(|template| template.matched(uri).is_some())
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.handled.definition
    }

    /// The part of it that a session keeps while a call runs.
    pub(crate) fn subject(&self) -> Arc<dyn Subject> {
        self.handled.definition.clone()
    }

    /// Its call has the JSON text of a URI as arguments.
    pub(crate) fn decoder(&self) -> Arc<dyn Decoder> {
        self.handled.clone()
    }

    /// What is wrong with it. `values` are those that its states may come from.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        let mut defects = self.definition().defects(values);
        let Ok(template) = &self.definition().template else { return defects };
        let variables = template.variables();
        for Completer { argument, .. } in &self.handled.completers {
            if !variables.contains(&&**argument) {
                defects.push(format!("`{argument}` is completed, and is no variable of its URI"));
            }
        }
        defects
    }

    /// What completes a variable.
    pub(crate) fn completer(&self, variable: &str) -> Option<Completer> {
        Completer::find(&self.handled.completers, &self.definition().callee, variable)
    }

    /// False if a variable can never have this value.
    pub(crate) fn may_be(&self, variable: &str, value: &str) -> bool {
        let template = self.definition().template.as_ref();
        template.is_ok_and(|template| template.may_be(variable, value))
    }

    pub(crate) fn completes(&self) -> bool {
        let is_there = Completer::is_there(&self.handled.completers, &self.definition().callee);
        self.is_template() && is_there
    }

    #[inline]
    fn derived(uri: &'static str, mut callee: Callee, start: Arc<Start>) -> Self {
        let (handler, _) = Handler::derive(start, &mut callee);
        Self::of(Definition::new(uri.into(), callee), handler)
    }

    #[inline]
    fn of(definition: Definition, handler: Handler) -> Self {
        let (definition, completers) = (Arc::new(definition), Vec::new());
        let decode = Handled::read;
        Self { handled: Arc::new(Handled { definition, handler, completers, decode }) }
    }

    fn with(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        let handled = Arc::make_mut(&mut self.handled);
        change(Arc::make_mut(&mut handled.definition));
        self
    }
}

/// The argument of a closure that has the whole URI. No variable has this name.
const URI: &str = "uri:";

impl Decoder for Handled {
    fn subject(&self) -> &dyn Subject {
        &*self.definition
    }

    fn decode(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        (self.decode)(self, arguments, caller)
    }
}

impl Handled {
    #[inline]
    fn read(&self, arguments: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let definition = self.definition.clone();
        let uri = arguments.and_then(scan::string).unwrap_or_default().into_owned();
        let mut variables = Map::new();
        if let Ok(template) = &definition.template {
            for (name, value) in template.matched(&uri).unwrap_or_default() {
                set(&mut variables, name, value.into());
            }
        }
        if definition.callee.schema.is_none() {
            set(&mut variables, URI, uri.as_str().into());
        }
        let variables = Value::Object(variables).to_string();
        let Begun { work, context } =
            self.handler.begin(&definition.callee, Some(&variables), caller)?;
        let work = async move {
            let Ended(result) = work.0.await;
            Ended(ResourceReply::completed(result, &uri, &definition))
        };
        Ok(Begun { work: Work(Box::pin(work)), context })
    }
}

impl fmt::Debug for Resource {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Resource");
        debug.field("uri", &self.uri()).finish_non_exhaustive()
    }
}
