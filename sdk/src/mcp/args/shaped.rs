//! How the schema of a parameter is made.
//!
//! An `Option` or a `Vec` has a schema of its own in schemars, which every program compiles again
//! together with what it needs. Here one function makes the schemas of all of them.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

use crate::mcp::schema::Shape;

/// How the schema of a parameter `T` of kind `K` is made.
#[doc(hidden)]
pub trait Shaped<T, K> {
    /// The schema.
    fn schema(generator: &mut SchemaGenerator) -> Value;
}

/// As its type has it.
#[doc(hidden)]
#[derive(Debug)]
pub struct ByType;

/// As that of an `Option`.
#[doc(hidden)]
#[derive(Debug)]
pub struct AsOption;

/// As that of a `Vec`.
#[doc(hidden)]
#[derive(Debug)]
pub struct AsList;

impl<T: JsonSchema, K> Shaped<Option<T>, K> for AsOption {
    fn schema(generator: &mut SchemaGenerator) -> Value {
        Shape::Optional(const { &Shape::of::<T>() }).subschema(generator).to_value()
    }
}

impl<T: JsonSchema, K> Shaped<Vec<T>, K> for AsList {
    fn schema(generator: &mut SchemaGenerator) -> Value {
        Shape::List(const { &Shape::of::<T>() }).subschema(generator).to_value()
    }
}
