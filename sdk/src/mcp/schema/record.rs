//! The schema of a struct under `#[data]`, which gives a table of its fields: so a struct adds
//! little code of its own. The schema is the one that schemars derives, except that a field is
//! optional wherever its type decodes absence: schemars does not see the `Option` inside of a type
//! that has documentation.

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::keyword::set;
use super::shape::Shape;
use crate::mcp::protocol::shown;

/// A struct with named fields.
#[doc(hidden)]
#[derive(Debug)]
pub struct Record {
    /// Its documentation.
    pub doc: &'static str,
    /// True if it refuses unknown fields.
    pub is_closed: bool,
    /// Its fields.
    pub fields: &'static [Field],
}

/// A field.
#[doc(hidden)]
#[derive(Debug)]
pub struct Field {
    name: &'static str,
    doc: &'static str,
    shape: Shape,
    absent: Omitted,
}

/// What a field is if nobody gives it.
#[derive(Debug)]
enum Omitted {
    /// The value of its type that stands for absence, if there is one.
    Nothing(fn() -> bool),
    /// Its default.
    Default(fn() -> Option<Value>),
}

impl Field {
    /// A field, and whether its type has a value that stands for absence.
    pub const fn new(
        name: &'static str,
        doc: &'static str,
        shape: Shape,
        may_be_absent: fn() -> bool,
    ) -> Self {
        Self { name, doc, shape, absent: Omitted::Nothing(may_be_absent) }
    }

    /// One with `#[serde(default)]`.
    pub const fn with_default<T: Default + Serialize>(
        name: &'static str,
        doc: &'static str,
        shape: Shape,
    ) -> Self {
        let absent = Omitted::Default(|| shown(&T::default()));
        Self { name, doc, shape, absent }
    }
}

/// The schema of a struct.
#[doc(hidden)]
pub fn record(generator: &mut SchemaGenerator, record: &Record) -> Schema {
    let mut schema = Map::new();
    set(&mut schema, "type", "object".into());
    if record.is_closed {
        set(&mut schema, "additionalProperties", Value::Bool(false));
    }
    let is_input = generator.contract().is_deserialize();
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in record.fields {
        let mut property = field.shape.subschema(generator);
        describe(&mut property, field.doc);
        let may_be_absent = match field.absent {
            Omitted::Nothing(is_possible) => is_possible(),
            Omitted::Default(default) => {
                if let Some(default) = default() {
                    set(property.ensure_object(), "default", default);
                }
                true
            }
        };
        set(&mut properties, field.name, property.to_value());
        if !(is_input && may_be_absent) {
            required.push(field.name.into());
        }
    }
    if !properties.is_empty() {
        set(&mut schema, "properties", Value::Object(properties));
    }
    if !required.is_empty() {
        set(&mut schema, "required", Value::Array(required));
    }
    let mut schema = Schema::from(schema);
    describe(&mut schema, record.doc);
    schema
}

/// Adds a documentation. Its heading is a title. A schema that is a boolean stays one without it.
pub(super) fn describe(schema: &mut Schema, doc: &str) {
    let doc = doc.trim_ascii();
    let (title, description) = match doc.starts_with('#') {
        true => doc.split_once('\n').unwrap_or((doc, "")),
        false => ("", doc),
    };
    let title = title.trim_start_matches('#');
    for (key, text) in [("title", title), ("description", description)] {
        let text = text.trim_ascii();
        if !text.is_empty() {
            set(schema.ensure_object(), key, text.into());
        }
    }
}
