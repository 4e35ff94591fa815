//! The schema of a function's parameters and result.

use std::fmt;

use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

use super::{Direction, check, normalise, settings};
use crate::mcp::args::{Param, Source};
use crate::mcp::output::IntoOutput;

/// Collects a tool's parameters, in their order, and its result into its schemas.
#[doc(hidden)]
pub struct Signature {
    generator: SchemaGenerator,
    properties: Map<String, Value>,
    required: Vec<Value>,
    whole: Option<Value>,
    output: Option<Value>,
    defects: Vec<String>,
}

/// What a signature comes to.
pub(crate) struct Schemas {
    pub(crate) input: Value,
    /// Whether the input schema says more than the types of the parameters enforce.
    pub(crate) constrained: bool,
    pub(crate) output: Option<Value>,
    pub(crate) defects: Vec<String>,
}

impl Default for Signature {
    fn default() -> Self {
        Self::new()
    }
}

impl Signature {
    pub(crate) fn new() -> Self {
        Self {
            generator: settings(Direction::Input).into_generator(),
            properties: Map::new(),
            required: Vec::new(),
            whole: None,
            output: None,
            defects: Vec::new(),
        }
    }

    /// A parameter taken by value.
    pub fn param<T: Param<K>, K>(&mut self, name: &'static str, description: &'static str) {
        match T::SOURCE {
            Source::Call => {}
            Source::Whole => {
                if self.whole.replace(T::schema(&mut self.generator)).is_some() {
                    self.defects
                        .push("`Args` stands for all arguments, so there can be only one".into());
                }
            }
            Source::Member if name.is_empty() => self.defects.push(
                "an argument must have a simple name; a pattern can only stand for `Args`".into(),
            ),
            Source::Member => {
                let schema = T::schema(&mut self.generator);
                if self
                    .properties
                    .insert(name.into(), described(schema, description.trim()))
                    .is_some()
                {
                    self.defects.push(format!("there is more than one argument `{name}`"));
                } else if !T::is_optional() {
                    self.required.push(name.into());
                }
            }
        }
    }

    /// The result.
    pub fn output<T: IntoOutput<K>, K>(&mut self) {
        self.output = T::output_schema();
    }

    /// The schemas, and what is wrong with the signature.
    pub(crate) fn finish(mut self) -> Schemas {
        if self.whole.is_some() && !self.properties.is_empty() {
            self.defects.push(
                "`Args` stands for all arguments, so there can be no others beside it".into(),
            );
        }
        let mut input = self.whole.take().unwrap_or_else(|| self.object());
        let constrained = check::has_constraints(&input);
        normalise::root(&mut input, Direction::Input);
        Schemas { input, constrained, output: self.output, defects: self.defects }
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

/// The parameter's own words come first; those of its type stay where the parameter has none.
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

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signature").field("properties", &self.properties).finish_non_exhaustive()
    }
}
