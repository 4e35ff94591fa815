//! JSON Schemas of Rust types that every model API accepts.
//!
//! schemars derives them. Here they lose what clients and APIs refuse or misread: `$schema`, the
//! title of the root, formats outside the standard, `$ref` if nothing is recursive, and null for
//! properties that may be absent.

pub(crate) mod keyword;
mod absent;
mod shape;
mod record;
mod untagged;
mod portable;
mod default;
mod normalise;
mod structured;
mod valid;
mod header;
mod problem;
mod open;
mod bounds;
pub(crate) mod check;
mod argument;
mod signature;

pub(crate) use absent::Absent;
pub(crate) use argument::Argument;
#[cfg(feature = "http")]
pub(crate) use bounds::canonical;
pub(crate) use bounds::{Bounds, integer, is_unchecked};
pub(crate) use header::{Header, headers};
pub(crate) use normalise::{
    Place, input, is_standard_format, may_be_boolean, output, placed_children, standard,
};
pub(crate) use problem::{MOST, Problem, clipped, is_within, step};
pub use record::{Field, Record, record};
pub use shape::{NoWrapper, Shape, Wrapper};
pub(crate) use signature::{Schemas, Signature};
pub(crate) use structured::{is_object, wrapped};
pub use untagged::{Untagged, Variant, untagged};
pub(crate) use valid::{Patterns, defects, output_defects};

#[cfg(test)]
mod tests;
