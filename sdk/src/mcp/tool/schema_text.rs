//! Schemas as JSON text.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::scan::on_one_line;

/// A JSON Schema, in one of four forms. The trait is sealed.
///
/// | type | clients get |
/// |---|---|
/// | [`Value`], such as `json!({"type": "object"})` | it as JSON |
/// | `&str`, `String`, `Box<`[`RawValue`]`>` | the text byte for byte; line ends become spaces |
pub trait IntoSchema: sealed::Sealed {
    /// The schema on one line, or what is wrong with the text.
    #[doc(hidden)]
    fn into_schema(self) -> Result<Box<RawValue>, String>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Value {}
    impl Sealed for Box<super::RawValue> {}
    impl Sealed for &str {}
    impl Sealed for String {}
}

impl IntoSchema for Value {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        Ok(raw(&self))
    }
}

impl IntoSchema for Box<RawValue> {
    #[inline]
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.get().into_schema()
    }
}

impl IntoSchema for &str {
    #[inline]
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        let line = on_one_line(self.trim_ascii().to_owned());
        RawValue::from_string(line).map_err(|error| format!("the schema is not JSON: {error}"))
    }
}

impl IntoSchema for String {
    #[inline]
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.as_str().into_schema()
    }
}

/// The value of a JSON text, or what is wrong with it. No client reads more levels.
pub(super) fn read(schema: &RawValue) -> Result<Value, String> {
    let schema = schema.get().parse();
    schema.map_err(|error| format!("the schema cannot be read: {error}"))
}

/// The JSON text of a value.
pub(super) fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
