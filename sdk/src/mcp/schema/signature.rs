//! The schemas of a function's parameters and result.

use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use super::argument::Argument;
use super::bounds::Bounds;
use super::check::{self, Aliases, Decoded, Part, Reading};
use super::keyword::{get, items, only, set};
use super::normalise::{Direction, Types, normalise};
use super::problem::{is_within, step};
use crate::mcp::extensions::Need;

/// Collects the parameters of a tool, in their order, and its result.
pub(crate) struct Signature {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
    /// The arguments whose schemas show values.
    shown: Vec<&'static str>,
    whole: Option<Value>,
    output: Option<Value>,
    needs: Vec<Need>,
    defects: Vec<String>,
}

/// The schemas of a tool, and what is wrong with its signature.
pub(crate) struct Schemas {
    pub(crate) input: Value,
    /// False if the input schema has no bounds.
    pub(crate) may_have_bounds: bool,
    pub(crate) output: Option<Value>,
    /// The values that the server must have.
    pub(crate) needs: Vec<Need>,
    pub(crate) defects: Vec<String>,
}

impl Signature {
    /// For schemas in which types are written out where they are used.
    pub(crate) fn new() -> Self {
        Self::with(Types::Inline)
    }

    /// For [`Signature::bounds`]: both tell a bound from what a type says of itself.
    pub(crate) fn for_bounds() -> [Self; 2] {
        [Types::Titled, Types::Named].map(Self::with)
    }

    fn with(types: Types) -> Self {
        Self {
            generator: Direction::Input.generator(types),
            properties: Map::new(),
            required: Vec::new(),
            shown: Vec::new(),
            whole: None,
            output: None,
            needs: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// Adds an argument with a name of its own.
    pub(crate) fn argument(
        &mut self,
        argument: Argument,
        schema: impl FnOnce(&mut SchemaGenerator) -> Value,
    ) {
        let name = argument.name;
        let of_type = schema(&mut self.generator);
        let definitions = self.generator.definitions();
        let schema = argument.schema(of_type, definitions, &mut self.defects);
        if schema.get("default").is_some() || schema.get("examples").is_some() {
            self.shown.push(name);
        }
        if self.properties.insert(name.into(), schema).is_some() {
            self.defects.push(format!("there is more than one argument `{name}`"));
        } else if !argument.is_optional {
            self.required.push(name.into());
        }
    }

    /// Adds a parameter that stands for all arguments.
    pub(crate) fn whole(&mut self, schema: impl FnOnce(&mut SchemaGenerator) -> Value) {
        if self.whole.replace(schema(&mut self.generator)).is_some() {
            self.defects.push("`Args` stands for all arguments, so there can be only one".into());
        }
    }

    /// Adds a value that the tool takes from its server.
    #[inline]
    pub(crate) fn need(&mut self, need: Need) {
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
    }

    /// Sets the schema of the result.
    pub(crate) fn output(&mut self, schema: Option<Value>) {
        self.output = schema;
    }

    pub(crate) fn finish(mut self) -> Schemas {
        if self.whole.is_some() && !self.properties.is_empty() {
            let defect = "`Args` stands for all arguments, so there can be no others beside it";
            self.defects.push(defect.into());
        }
        let mut input = self.root();
        let may_have_bounds = Bounds::may_be_in(&input);
        normalise(&mut input, Direction::Input);
        for name in &self.shown {
            add_unfit_values(&input, name, &mut self.defects);
        }
        let Self { output, needs, defects, .. } = self;
        Schemas { input, may_have_bounds, output, needs, defects }
    }

    /// The bounds of the arguments, if there are any.
    pub(crate) fn bounds([mut titled, mut named]: [Self; 2]) -> Option<Bounds> {
        Bounds::of(&titled.root(), &named.root())
    }

    fn root(&mut self) -> Value {
        self.whole.take().unwrap_or_else(|| self.object())
    }

    fn object(&mut self) -> Value {
        let mut root = Map::new();
        set(&mut root, "type", "object".into());
        set(&mut root, "properties", Value::Object(std::mem::take(&mut self.properties)));
        if !self.required.is_empty() {
            set(&mut root, "required", Value::Array(std::mem::take(&mut self.required)));
        }
        set(&mut root, "additionalProperties", Value::Bool(false));
        let definitions = self.generator.take_definitions(true);
        if !definitions.is_empty() {
            set(&mut root, "$defs", Value::Object(definitions));
        }
        Value::Object(root)
    }
}

/// Adds the default and the examples of an argument that break its schema to `defects`.
fn add_unfit_values(input: &Value, name: &str, defects: &mut Vec<String>) {
    let Value::Object(schema) = &input["properties"][name] else { return };
    let step = step(name);
    let mut shown = Vec::new();
    if let Some(default) = get(schema, "default") {
        shown.push(("default", default));
    }
    for example in items(schema, "examples") {
        shown.push(("example", example));
    }
    for (key, value) in shown {
        let text = only(name, value.clone()).to_string();
        let decoded = Decoded::default();
        let Some(part) = Part::of(&text, &decoded) else { continue };
        let problems = check::problems(input, &part, Reading::Lenient, Aliases::None);
        if let Some(problem) = problems.iter().find(|problem| is_within(&problem.pointer, &step)) {
            defects.push(format!("argument `{name}`: its {key} does not fit: {}", problem.text));
        }
    }
}
