//! The schemas of a function's parameters and result.

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::bounds::Bounds;
use super::normalise::{Direction, normalise};
use crate::mcp::extensions::Need;

/// Collects the parameters of a tool, in their order, and its result.
pub(crate) struct Signature {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
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
        Self::with_types_inline(true)
    }

    /// For [`Signature::bounds`]: references tell the types that have a name from all others.
    pub(crate) fn for_bounds() -> Self {
        Self::with_types_inline(false)
    }

    fn with_types_inline(is_inline: bool) -> Self {
        Self {
            generator: Direction::Input.generator(is_inline),
            properties: Map::new(),
            required: Vec::new(),
            whole: None,
            output: None,
            needs: Vec::new(),
            defects: Vec::new(),
        }
    }

    /// Adds an argument with a name of its own.
    pub(crate) fn argument(
        &mut self,
        name: &'static str,
        description: &'static str,
        is_optional: bool,
        schema: impl FnOnce(&mut SchemaGenerator) -> Value,
    ) {
        if name.is_empty() {
            let defect = "an argument must have a simple name; a pattern can only stand for `Args`";
            return self.defects.push(defect.into());
        }
        let schema = described(schema(&mut self.generator), description.trim());
        if self.properties.insert(name.into(), schema).is_some() {
            self.defects.push(format!("there is more than one argument `{name}`"));
        } else if !is_optional {
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
        // Without references this finds at least all bounds.
        let may_have_bounds = Bounds::may_be_in(&input);
        normalise(&mut input, Direction::Input);
        let Self { output, needs, defects, .. } = self;
        Schemas { input, may_have_bounds, output, needs, defects }
    }

    /// The bounds of the arguments, if there are any.
    pub(crate) fn bounds(mut self) -> Option<Bounds> {
        Bounds::of(&self.root())
    }

    fn root(&mut self) -> Value {
        self.whole.take().unwrap_or_else(|| self.object())
    }

    fn object(&mut self) -> Value {
        let mut root = Map::new();
        root.insert("type".into(), "object".into());
        root.insert("properties".into(), Value::Object(std::mem::take(&mut self.properties)));
        if !self.required.is_empty() {
            root.insert("required".into(), Value::Array(std::mem::take(&mut self.required)));
        }
        root.insert("additionalProperties".into(), json!(false));
        let definitions = self.generator.take_definitions(true);
        if !definitions.is_empty() {
            root.insert("$defs".into(), Value::Object(definitions));
        }
        Value::Object(root)
    }
}

/// Puts the parameter's description first. Without one, the description of its type stays.
fn described(schema: Value, description: &str) -> Value {
    let Value::Object(members) = schema else {
        return match description.is_empty() {
            true => json!({}),
            false => json!({"description": description}),
        };
    };
    if description.is_empty() {
        return Value::Object(members);
    }
    let mut described = Map::new();
    described.insert("description".into(), description.into());
    described.extend(members.into_iter().filter(|(key, _)| key != "description"));
    Value::Object(described)
}
