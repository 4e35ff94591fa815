//! The schema of an enum without a tag under `#[data]`, which gives a table of its variants: so the
//! functions of schemars are not compiled for their types. The schema is the one that it derives.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::keyword::set;
use super::record::describe;
use super::shape::Shape;

/// An enum with one value in each variant.
#[doc(hidden)]
#[derive(Debug)]
pub struct Untagged {
    /// Its documentation.
    pub doc: &'static str,
    /// Its variants.
    pub variants: &'static [Variant],
}

/// A variant.
#[doc(hidden)]
#[derive(Debug)]
pub struct Variant {
    /// Its name, which no value has.
    pub name: &'static str,
    /// Its documentation.
    pub doc: &'static str,
    /// The type of its value.
    pub shape: Shape,
}

/// The schema of an enum without a tag.
#[doc(hidden)]
pub fn untagged(generator: &mut SchemaGenerator, untagged: &Untagged) -> Schema {
    let mut branches = Vec::new();
    for variant in untagged.variants {
        let mut branch = variant.shape.subschema(generator);
        if generator.settings().untagged_enum_variant_titles {
            set(branch.ensure_object(), "title", variant.name.into());
        }
        describe(&mut branch, variant.doc);
        branches.push(branch.to_value());
    }
    let mut schema = Schema::default();
    set(schema.ensure_object(), "anyOf", Value::Array(branches));
    describe(&mut schema, untagged.doc);
    schema
}
