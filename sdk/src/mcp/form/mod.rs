//! What a tool asks a user by a form: the schema of the questions, and the answers.

mod field;
mod property;
mod requested;
mod answer;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub(crate) use answer::{accepted, accepted_by};
pub use field::{Answer, Choice, FormField};
pub(crate) use requested::requested;

/// What a user fills in when a tool asks: a struct under [`#[data]`](macro@crate::data) whose fields
/// are plain.
///
/// ```
/// use toolwright::{Form, data};
///
/// /// Where to deliver.
/// #[data]
/// struct Delivery {
///     /// City
///     city: String,
///     /// How many parcels
///     #[schemars(range(min = 1, max = 20))]
///     parcels: u32,
///     speed: Speed,
///     /// Floor, if there is a lift
///     floor: Option<i8>,
/// }
///
/// #[data]
/// enum Speed {
///     /// Within a week
///     Normal,
///     /// Tomorrow
///     Express,
/// }
///
/// fn is_form<T: Form>() {}
/// is_form::<Delivery>();
/// ```
///
/// | a field | in the form |
/// |---|---|
/// | `String`, `char` | a text; `#[schemars(email)]`, `url` and `length(…)` are shown to the user |
/// | integers, `f32`, `f64` | a number, with the bounds of its type and of `range(…)` |
/// | `bool` | yes or no |
/// | `NaiveDate`, `DateTime` of chrono, `Url` of url | a date, a time, an address, with the features |
/// | an enum of names under `#[data]` | one choice; its title is the first line of its doc comment |
/// | a `Vec` of such an enum | several choices |
/// | an `Option` of these | the same; the user may leave it out |
///
/// The doc comment of a field describes it. A heading in it, `/// # City`, becomes the field's title.
/// `#[serde(default)]` fills a field in before the user sees it.
///
/// The trait is for forms alone because clients refuse any other schema: an object or a list of
/// texts in it fails the whole question. A struct with such fields still compiles; only the call
/// that asks for it does not. Ask nobody for a password or another secret by a form: the protocol
/// forbids it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be asked for by a form",
    label = "not a form",
    note = "a form is a struct with named fields, without type parameters, under \
            `#[toolwright::data]`",
    note = "serde's `flatten`, `tag`, `transparent`, `from` and `with` have no place in it"
)]
pub trait Form: DeserializeOwned + JsonSchema + Send + 'static {}

#[cfg(test)]
mod tests;
