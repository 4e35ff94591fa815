//! JSON text of schemas.

use serde_json::Value;
use serde_json::value::RawValue;

/// JSON text of a schema, in the forms it comes in.
pub trait IntoSchema {
    /// The schema on one line, or what is wrong with the text.
    #[doc(hidden)]
    fn into_schema(self) -> Result<Box<RawValue>, String>;
}

impl IntoSchema for Value {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        Ok(raw(&self))
    }
}

impl IntoSchema for Box<RawValue> {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.get().into_schema()
    }
}

impl IntoSchema for &str {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        // A message is one line. Within strings JSON has no raw line ends, so these are white
        // space.
        let line = self.trim().replace(['\n', '\r'], " ");
        RawValue::from_string(line).map_err(|error| format!("the schema is not JSON: {error}"))
    }
}

impl IntoSchema for String {
    fn into_schema(self) -> Result<Box<RawValue>, String> {
        self.as_str().into_schema()
    }
}

/// The JSON text of a value.
pub(super) fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
