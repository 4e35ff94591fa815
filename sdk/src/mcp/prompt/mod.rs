//! One prompt: its definition, and how a `prompts/get` begins.

mod output;
mod reply;

mod definition;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::args::{BadArguments, Input, texts};
use super::call::{Begun, Decoder, Ended, Subject, Work};
use super::callee::{Callee, Function, Handler, Start, StartFn};
use super::completion::{Completer, Completing, IntoValues};
use super::context::{Caller, Context};
use super::extensions::Extensions;
use super::protocol::{Icon, PromptArgument};
use definition::{Definition, arguments, schema};

pub use output::{IntoMessages, PromptResult};
pub(crate) use reply::PromptReply;

/// A prompt of a registry: messages that a user chooses by name, as a slash command in Claude Code.
/// `#[prompt]` makes one from a function, [`Prompt::new`] from a closure. A clone is cheap.
#[derive(Clone)]
pub struct Prompt {
    handled: Arc<Handled>,
}

/// The definition of a prompt, and the code behind it.
#[derive(Clone)]
struct Handled {
    definition: Arc<Definition>,
    handler: Handler,
    completers: Vec<Completer>,
    decode: Decode,
}

/// How a call begins. The value of a prompt has it, so that servers without prompts do not compile
/// it.
type Decode = fn(&Handled, Option<&str>, &dyn Caller) -> Result<Begun, BadArguments>;

impl Prompt {
    /// What `#[prompt]` expands to; see [`Tool::of_function`](crate::Tool::of_function).
    #[doc(hidden)]
    #[inline]
    pub fn of_function(function: &'static Function, start: StartFn) -> Self {
        Self::derived(function.callee(), Arc::new(start))
    }

    /// What a method under `#[prompt]` expands to.
    #[doc(hidden)]
    pub fn of_method<F>(function: &'static Function, start: F) -> Self
    where
        F: Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync + 'static,
    {
        Self::derived(function.callee(), Arc::new(start))
    }

    /// A prompt from a closure, which gets the arguments by their names. An argument that must be
    /// given is there.
    ///
    /// ```
    /// use toolwright::{Prompt, PromptArgument, ToolRegistry};
    ///
    /// let arguments = [PromptArgument::required("text", "What to translate")];
    /// let translate = Prompt::new("translate", "Translate a text", arguments, async |given, _| {
    ///     format!("Translate into English: {}", given["text"])
    /// });
    /// let registry = ToolRegistry::builder("words").prompts([translate]).build()?;
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    ///
    /// Each `prompts/get` runs a clone of the closure, which owns what it has captured: capture an
    /// [`Arc`] of what the calls share. What a call changes in its clone, the next one does not
    /// see.
    pub fn new<F, Fut, O, K>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        arguments: impl IntoIterator<Item = PromptArgument>,
        handler: F,
    ) -> Self
    where
        F: FnOnce(HashMap<String, String>, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = O> + Send + 'static,
        O: IntoMessages<K> + 'static,
        K: 'static,
    {
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            let (handler, given, cx) = (handler.clone(), texts::all(input)?, input.context());
            Ok(Work(Box::pin(async move {
                let returned = handler(given, cx).await;
                match returned.error_object() {
                    Some(error) => Ended::refused(error.clone()),
                    None => PromptReply::ended(returned.into_messages()),
                }
            })))
        };
        let callee = Callee::new(name.into(), description.into());
        Self::by_hand(callee, arguments.into_iter().collect(), Arc::new(start))
    }

    /// Gives it another name for clients.
    pub fn with_name(self, name: impl Into<Cow<'static, str>>) -> Self {
        self.with(|callee| callee.name = name.into())
    }

    /// Puts a prefix before its name.
    #[inline]
    pub fn with_prefix(self, prefix: &str) -> Self {
        let name = format!("{prefix}{}", self.name());
        self.with_name(name)
    }

    /// Sets the display name.
    pub fn with_title(self, title: impl Into<Cow<'static, str>>) -> Self {
        self.with(|callee| callee.title = Some(title.into()))
    }

    /// Replaces the description, for what is known only once the program runs.
    #[inline]
    pub fn with_description(self, description: impl Into<Cow<'static, str>>) -> Self {
        self.with(|callee| callee.description = description.into())
    }

    /// Adds an icon.
    #[inline]
    pub fn with_icon(self, icon: Icon) -> Self {
        self.with(|callee| callee.icons.push(icon))
    }

    /// Adds an entry to the prompt's `_meta`.
    pub fn with_meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|callee| {
            callee.meta.insert(key.into(), value.into());
        })
    }

    /// Sets how long a call may take before it is stopped and answered with an error. Default: no
    /// limit.
    #[inline]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        self.with(|callee| callee.timeout = Some(timeout))
    }

    /// Completes an argument while a user types it. `complete` gets the text that is typed so far,
    /// and returns all values that fit; clients get the first 100. Clients may ask at each key. An
    /// `async` closure runs on the serving loop, and a plain one on a thread of its own.
    pub fn complete<F, T, K>(mut self, argument: impl Into<Cow<'static, str>>, complete: F) -> Self
    where
        F: Fn(String, Completing) -> T + Send + Sync + 'static,
        T: IntoValues<K>,
    {
        let completer = Completer::new(argument.into(), complete);
        Arc::make_mut(&mut self.handled).completers.insert(0, completer);
        self
    }

    /// The name that clients use in `prompts/get`.
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

    /// The arguments, in their order.
    pub fn arguments(&self) -> &[PromptArgument] {
        &self.definition().arguments
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.handled.definition
    }

    /// The part of it that a session keeps while a call runs.
    pub(crate) fn subject(&self) -> Arc<dyn Subject> {
        self.handled.definition.clone()
    }

    pub(crate) fn decoder(&self) -> Arc<dyn Decoder> {
        self.handled.clone()
    }

    /// What is wrong with it. `values` are those that its states may come from.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        let mut defects = self.definition().defects(values);
        let arguments = self.arguments();
        let has = |name: &str| arguments.iter().any(|argument| argument.name == name);
        for Completer { argument, .. } in &self.handled.completers {
            if !has(argument) {
                defects.push(format!("`{argument}` is completed, and is no argument of it"));
            }
        }
        defects
    }

    /// What completes an argument.
    pub(crate) fn completer(&self, argument: &str) -> Option<Completer> {
        Completer::find(&self.handled.completers, &self.definition().callee, argument)
    }

    pub(crate) fn completes(&self) -> bool {
        Completer::is_there(&self.handled.completers, &self.definition().callee)
    }

    #[inline]
    fn derived(mut callee: Callee, start: Arc<Start>) -> Self {
        let (handler, _) = Handler::derive(start, &mut callee);
        let arguments = arguments(callee.schema.as_ref());
        Self::of(Definition { callee, arguments }, handler)
    }

    #[inline]
    fn by_hand(mut callee: Callee, arguments: Vec<PromptArgument>, start: Arc<Start>) -> Self {
        callee.schema = Some(schema(&arguments));
        Self::of(Definition { callee, arguments }, Handler::new(start))
    }

    #[inline]
    fn of(definition: Definition, handler: Handler) -> Self {
        let (definition, completers) = (Arc::new(definition), Vec::new());
        let decode = Handled::read;
        Self { handled: Arc::new(Handled { definition, handler, completers, decode }) }
    }

    fn with(mut self, change: impl FnOnce(&mut Callee)) -> Self {
        let handled = Arc::make_mut(&mut self.handled);
        change(&mut Arc::make_mut(&mut handled.definition).callee);
        self
    }
}

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
        let callee = &self.definition.callee;
        let arguments = texts::known(callee.expected(), arguments.unwrap_or("{}"))?;
        self.handler.begin(callee, Some(&arguments), caller)
    }
}

impl fmt::Debug for Prompt {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Prompt");
        debug.field("name", &self.name()).finish_non_exhaustive()
    }
}
