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

/// What a user fills in when a tool asks: a struct under [`#[data]`](macro@crate::data) whose
/// fields are plain.
///
/// ```
/// use toolwright::{AskError, Context, data, tool};
///
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
/// /// Order what is in the cart.
/// #[tool]
/// async fn order(cx: &Context) -> Result<String, AskError> {
///     let to = cx.elicit::<Delivery>("Where to?").await?.accepted()?;
///     Ok(format!("{} parcels go to {}", to.parcels, to.city))
/// }
/// ```
///
/// | a field | in the form |
/// |---|---|
/// | `String`, `char` | a text; `#[schemars(email)]`, `url` and `length(…)` are shown to the user |
/// | integers, `f32`, `f64` | a number, with the bounds of its type and of `range(…)` |
/// | `bool` | yes or no |
/// | `NaiveDate`, `DateTime<_>`, `Url` | a date, a time, an address (features `chrono`, `url`) |
/// | an enum of names under `#[data]` | one choice; its doc comment's first line is its title |
/// | a `Vec` of such an enum | several choices |
/// | an `Option` of these | the same; the user may leave it out |
///
/// The doc comment of a field describes it; a heading in it, `/// # City`, becomes its title.
/// `#[serde(default)]` fills a field in before the user sees it. Of an enum, the names without a
/// doc comment come first. MCP 2025-06-18 has no lists: there the user writes the names of several
/// choices with commas between them.
///
/// Clients refuse a question with anything else in it, such as an object or a list of texts. A
/// struct that has it compiles; the call that asks for it does not. An answer is checked by all of
/// the type's schema, also what clients do not know of it, such as a `pattern`.
///
/// Never ask for a password or another secret by a form: MCP forbids it, as the client and the
/// model may see the answer.
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
