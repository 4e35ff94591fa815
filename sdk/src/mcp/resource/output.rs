//! From what a function returns to the contents of a resource.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;

use crate::mcp::output::{Json, Sealed, kind};
use crate::mcp::protocol::{ErrorObject, ResourceContents};

/// What a resource may return.
///
/// | type | contents |
/// |---|---|
/// | `String`, `&str`, `Box<str>`, `Cow<str>` | text |
/// | `Vec<u8>`, `&[u8]` | bytes, encoded as base64 |
/// | [`Json<T>`](Json), `T: Serialize` | JSON text; its media type is `application/json` |
/// | [`ResourceContents`], `Vec<ResourceContents>` | exactly these |
/// | `Option<T>` of these | `T`, or the error of the protocol that no such resource exists |
/// | `Result<T, E>` of these, `E: Display` | `T`, or an error of the protocol with `E` |
/// | `Result<T, ErrorObject>` of these | `T`, or the [`ErrorObject`] |
///
/// Contents without a URI get the one that the client has asked for, and those without a media type
/// that of the resource.
///
/// The trait is sealed. `Kind` distinguishes the implementations and is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a resource",
    label = "not a result of a resource",
    note = "a resource returns a `String`, a `Vec<u8>`, `Json<T>`, `ResourceContents`, \
            `Vec<ResourceContents>`, or an `Option` or `Result` of these"
)]
pub trait IntoContents<Kind> {
    #[doc(hidden)]
    const SEALED: Sealed;

    /// The contents, `None` if there is no such resource, or the error that answers the request.
    ///
    /// # Errors
    ///
    /// The function has failed.
    fn into_contents(self) -> Result<Option<Vec<ResourceContents>>, ErrorObject>;

    /// The error that it has for the client itself.
    #[doc(hidden)]
    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        None
    }
}

macro_rules! contents {
    ($value:pat => $contents:expr; $($type:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IntoContents<kind::Plain> for $type {
            const SEALED: Sealed = Sealed;

            #[inline]
            fn into_contents(self) -> Result<Option<Vec<ResourceContents>>, ErrorObject> {
                let $value = self;
                Ok(Some($contents))
            }
        }
    )*};
}

contents!(contents => contents; Vec<ResourceContents>);
contents!(contents => vec![contents]; ResourceContents);
contents!(text => vec![ResourceContents::text("", text)];
    String, &str, Box<str>, Cow<'_, str>);
contents!(bytes => vec![ResourceContents::blob("", bytes)]; Vec<u8>, &[u8]);

#[diagnostic::do_not_recommend]
impl<T: Serialize> IntoContents<kind::Structured> for Json<T> {
    const SEALED: Sealed = Sealed;

    fn into_contents(self) -> Result<Option<Vec<ResourceContents>>, ErrorObject> {
        let text = serde_json::to_string(&self.0)
            .map_err(|error| format!("the resource cannot be written as JSON: {error}"))
            .map_err(ErrorObject::internal)?;
        Ok(Some(vec![ResourceContents::text("", text).mime_type("application/json")]))
    }
}

impl<T: IntoContents<K>, K> IntoContents<kind::Optional<K>> for Option<T> {
    const SEALED: Sealed = Sealed;

    fn into_contents(self) -> Result<Option<Vec<ResourceContents>>, ErrorObject> {
        self.map_or(Ok(None), T::into_contents)
    }
}

impl<T: IntoContents<K>, E: Display, K> IntoContents<kind::Fallible<K>> for Result<T, E> {
    const SEALED: Sealed = Sealed;

    fn into_contents(self) -> Result<Option<Vec<ResourceContents>>, ErrorObject> {
        self.map_err(|error| ErrorObject::of_failure(&error))?.into_contents()
    }

    fn error_object(&self) -> Option<&ErrorObject>
    where
        Self: 'static,
    {
        self.as_ref().err().and_then(|error| ErrorObject::found_in(error))
    }
}
