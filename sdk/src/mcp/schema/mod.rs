//! JSON Schemas that are safe for a model API, from Rust types.
//!
//! schemars derives them; here they lose what clients and APIs refuse or misread (architecture rule
//! 6): `$schema`, titles of the root, formats outside the standard, `$ref` where nothing is
//! recursive, and null for what may as well be absent.

mod normalise;
mod structured;
mod valid;
pub(crate) mod check;
mod signature;

#[cfg(feature = "agent")]
pub(crate) use normalise::input;
pub(crate) use normalise::output;
pub(crate) use signature::{Schemas, Signature};
pub(crate) use structured::{is_object, wrapped};
pub(crate) use valid::{defects, output_defects};

#[cfg(test)]
mod tests;
