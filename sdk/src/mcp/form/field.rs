//! What a form is, and what it may have.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A type that a field of a form may have. The lifetime is of no use but this: a bound with
/// `for<'a>` may be false, so that `#[data]` can write it for structs that are never forms.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a form",
    label = "a form with such a field",
    note = "the fields of a form are texts, numbers, bools, enums of names under \
            `#[toolwright::data]`, a `Vec` of such an enum, or an `Option` of these",
    note = "ask for anything else by its parts, each a field of its own"
)]
pub trait FormField<'a> {}

/// An enum whose variants are names and nothing else, which `#[data]` recognises.
#[doc(hidden)]
pub trait Choice {}

/// What every form is. If a mistake elsewhere in a struct is the reason that it is not, the bound
/// says nothing about that.
#[doc(hidden)]
pub trait Answer<'a>: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Answer<'_> for T {}

macro_rules! fields {
    ($($type:ty)*) => {
        $(impl FormField<'_> for $type {})*
    };
}

fields! { String char bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 }

#[cfg(feature = "chrono")]
fields! { chrono::NaiveDate }

#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> FormField<'_> for chrono::DateTime<Z> {}

#[cfg(feature = "url")]
fields! { url::Url }

// Else a type would be refused for being no enum.
#[diagnostic::do_not_recommend]
impl<T: Choice> FormField<'_> for T {}

#[diagnostic::do_not_recommend]
impl<T: Choice> FormField<'_> for Vec<T> {}

#[diagnostic::do_not_recommend]
impl<'a, T: FormField<'a>> FormField<'a> for Option<T> {}
