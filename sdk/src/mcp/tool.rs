//! One tool: how it is listed, and how a call of it begins.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::args::{BadArguments, Expected, Input};
use super::context::Context;
use super::output::{IntoOutput, ToolResult};
use super::protocol::{Icon, Revision, ToolAnnotations, ToolInfo};
use super::schema::{self, Schemas, Signature};

/// A tool of a registry. `#[tool]` makes one of a function; [`Tool::new`] makes one by hand. A
/// clone is cheap.
#[derive(Clone)]
pub struct Tool(Arc<Definition>);

/// How a call of a tool wants to be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// An `async` function: on the serving loop.
    Async,
    /// A plain function: on a thread of its own, as it may take long.
    Sync,
    /// A plain function that says it is quick: on the serving loop.
    Inline,
}

/// What a call of a tool does, as far as it has begun.
pub type Work = Pin<Box<dyn Future<Output = ToolResult> + Send>>;

type Start = dyn Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Definition {
    pub(crate) name: Cow<'static, str>,
    pub(crate) kind: Kind,
    pub(crate) timeout: Option<Duration>,
    /// The input schema where it was derived, to word problems by.
    derived_input: Option<Value>,
    constrained: bool,
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    input: Box<RawValue>,
    output: Option<OutputSchema>,
    annotations: ToolAnnotations,
    icons: Vec<Icon>,
    meta: Map<String, Value>,
    defects: Vec<String>,
    start: Arc<Start>,
}

#[derive(Clone)]
struct OutputSchema {
    schema: Box<RawValue>,
    /// The schema of `{"result": …}` for the legacy era, where the schema is not one of objects.
    wrapped: Option<Box<RawValue>>,
}

impl Tool {
    /// A tool with a schema given by hand, which clients get byte for byte and which is not
    /// enforced: the handler gets the arguments decoded into `A` (a [`Value`] or a type of your
    /// own) and refuses what it does not like.
    ///
    /// The schema is JSON text, a [`Value`] or a [`RawValue`].
    /// [`ToolRegistry`](crate::ToolRegistry)'s `build` and `add` report what is wrong with the name
    /// and the schema.
    ///
    /// ```
    /// use toolwright::{Context, Tool, json};
    ///
    /// let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    /// let shout = Tool::new("shout", "Says it loudly", schema, async |args: serde_json::Value, _: Context| {
    ///     args["text"].as_str().unwrap_or_default().to_uppercase()
    /// });
    /// # let _ = shout;
    /// ```
    pub fn new<A, F, Fut, O, K>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        schema: impl IntoSchema,
        handler: F,
    ) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: Fn(A, Context) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = O> + Send + 'static,
        O: IntoOutput<K>,
        K: 'static,
    {
        let handler = Arc::new(handler);
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            let args = serde_json::from_str::<A>(input.arguments)
                .map_err(|error| BadArguments::from_decoding(input, error))?;
            let (handler, context) = (handler.clone(), input.context());
            // A host decodes while it holds the line, so what the handler does before its future is
            // there belongs to the future as well.
            Ok(Box::pin(async move { handler(args, context).await.into_output() }))
        };
        let (input, mut defects) = match schema.into_schema() {
            Ok(schema) => (schema, Vec::new()),
            Err(defect) => (raw(&Value::Null), vec![defect]),
        };
        if defects.is_empty() {
            let value = serde_json::from_str(input.get()).unwrap_or_default();
            defects = schema::defects(&value, "input schema");
        }
        let tool = Definition::new(name.into(), description.into(), input, Arc::new(start));
        Self(Arc::new(Definition { defects, ..tool }))
    }

    /// What `#[tool]` expands to: `start` decodes the arguments and calls the function. Without a
    /// call it describes its parameters and its result, and fails where it would decode.
    #[doc(hidden)]
    pub fn from_function(
        name: &'static str,
        description: &'static str,
        kind: Kind,
        start: impl Fn(&Input<'_>) -> Result<Work, BadArguments> + Send + Sync + 'static,
    ) -> Self {
        Self::described(name, description, kind, Arc::new(start))
    }

    /// Not generic, so that a tool adds little code of its own.
    fn described(
        name: &'static str,
        description: &'static str,
        kind: Kind,
        start: Arc<Start>,
    ) -> Self {
        let mut tool = Definition::new(name.into(), description.into(), raw(&Value::Null), start);
        tool.kind = kind;
        let signature = RefCell::new(Signature::new());
        let _ = (tool.start)(&Input::for_signature(tool.expected(), &signature));
        let Schemas { input, constrained, output, defects } = signature.into_inner().finish();
        tool.defects = defects;
        tool.defects.extend(schema::defects(&input, "input schema"));
        tool.constrained = constrained;
        tool.input = raw(&input);
        tool.derived_input = Some(input);
        let tool = Self(Arc::new(tool));
        match output {
            Some(schema) => tool.output_schema(schema),
            None => tool,
        }
    }

    /// A name for people.
    pub fn title(self, title: impl Into<Cow<'static, str>>) -> Self {
        self.with(|tool| tool.title = Some(title.into()))
    }

    /// Hints on what the tool does.
    pub fn annotations(self, annotations: ToolAnnotations) -> Self {
        self.with(|tool| tool.annotations = annotations)
    }

    /// Changes the hints on what the tool does.
    pub fn annotate(self, change: impl FnOnce(&mut ToolAnnotations)) -> Self {
        self.with(|tool| change(&mut tool.annotations))
    }

    /// One more icon.
    pub fn icon(self, icon: Icon) -> Self {
        self.with(|tool| tool.icons.push(icon))
    }

    /// An entry of the tool's `_meta`.
    pub fn meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|tool| {
            tool.meta.insert(key.into(), value.into());
        })
    }

    /// How long a call may take before it is stopped and answered with an error result; without
    /// this, as long as it likes.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with(|tool| tool.timeout = Some(timeout))
    }

    /// The schema of the structured content that every success of the tool carries.
    pub fn output_schema(self, schema: impl IntoSchema) -> Self {
        self.with(|tool| {
            let schema = match schema.into_schema() {
                Ok(schema) => schema,
                Err(defect) => return tool.defects.push(defect),
            };
            let value: Value = serde_json::from_str(schema.get()).unwrap_or_default();
            tool.defects.extend(schema::output_defects(&value));
            let wrapped = (!schema::is_object(&value)).then(|| raw(&schema::wrapped(value)));
            tool.output = Some(OutputSchema { schema, wrapped });
        })
    }

    /// The name by which clients call it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How its calls want to be run.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The input schema as clients get it.
    pub fn input_schema(&self) -> &RawValue {
        &self.0.input
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.0
    }

    /// Decodes the arguments and makes the call's future, which owns all it needs.
    pub(crate) fn start(&self, input: &Input<'_>) -> Result<Work, BadArguments> {
        (self.0.start)(input)
    }

    fn with(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

impl Definition {
    fn new(
        name: Cow<'static, str>,
        description: Cow<'static, str>,
        input: Box<RawValue>,
        start: Arc<Start>,
    ) -> Self {
        Self {
            name,
            kind: Kind::Async,
            timeout: None,
            derived_input: None,
            constrained: false,
            title: None,
            description,
            input,
            output: None,
            annotations: ToolAnnotations::default(),
            icons: Vec::new(),
            meta: Map::new(),
            defects: Vec::new(),
            start,
        }
    }

    /// The tool's entry in `tools/list`.
    pub(crate) fn info(&self, revision: Revision) -> ToolInfo<'_> {
        let output = self.output.as_ref().map(|output| match &output.wrapped {
            Some(wrapped) if !revision.is_modern() => &**wrapped,
            _ => &*output.schema,
        });
        ToolInfo {
            name: &self.name,
            title: self.title.as_deref(),
            description: &self.description,
            input_schema: &self.input,
            output_schema: output,
            annotations: &self.annotations,
            icons: &self.icons,
            meta: &self.meta,
        }
    }

    /// Whether structured content goes as `{"result": …}` in the legacy era; `None` leaves that to
    /// the value.
    pub(crate) fn wraps_result(&self) -> Option<bool> {
        self.output.as_ref().map(|output| output.wrapped.is_some())
    }

    /// What keeps the tool out of a registry.
    pub(crate) fn defects(&self) -> impl Iterator<Item = String> {
        let name = (!is_name(&self.name))
            .then(|| "its name must have 1 to 128 characters of A-Z, a-z, 0-9, `_`, `-` and `.` (MCP, tool names)".to_owned());
        name.into_iter().chain(self.defects.iter().cloned())
    }

    /// What it expects of its arguments.
    pub(crate) fn expected(&self) -> Expected<'_> {
        Expected {
            name: &self.name,
            schema: self.derived_input.as_ref(),
            constrained: self.constrained,
        }
    }
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// JSON text of a schema, in the forms it comes in.
pub trait IntoSchema {
    /// The schema on one line, or what is wrong with the text.
    #[doc(hidden)]
    fn into_schema(self) -> Result<Box<RawValue>, String>;
}

impl IntoSchema for Value {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        Ok(raw(&self))
    }
}

impl IntoSchema for Box<RawValue> {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.get().into_schema()
    }
}

impl IntoSchema for &str {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        // A message is one line. Within strings JSON has no raw line ends, so these are white
        // space.
        let line = self.trim().replace(['\n', '\r'], " ");
        RawValue::from_string(line).map_err(|error| format!("the schema is not JSON: {error}"))
    }
}

impl IntoSchema for String {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.as_str().into_schema()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.0.name)
            .field("kind", &self.0.kind)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
