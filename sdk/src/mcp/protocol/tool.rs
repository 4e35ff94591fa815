//! A tool as an entry of `tools/list`.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Hints about what a tool does, for clients to show or to decide by. MCP's defaults for absent
/// hints are the cautious ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// A display name; [`crate::Tool::title`] is the newer place for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'static, str>>,
    /// True: the tool changes nothing. MCP's default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// True: the tool may destroy data. MCP's default: true, unless the tool is read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// True: a second call with the same arguments changes nothing more. MCP's default: false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// True: the tool uses the outside world, as a web search does. MCP's default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

/// A picture of a tool, a prompt, a resource or a server.
///
/// ```
/// use toolwright::{Icon, IconTheme, ToolRegistry};
///
/// let dark = Icon::new("https://example.com/dark.svg").size("any").theme(IconTheme::Dark);
/// let registry = ToolRegistry::builder("calc").icon(dark).build()?;
/// # Ok::<(), toolwright::BuildError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Icon {
    /// An `https:` or `data:` URI.
    pub src: Cow<'static, str>,
    /// Its media type, if the source does not tell it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<Cow<'static, str>>,
    /// Sizes such as `48x48`, or `any`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub sizes: Vec<Cow<'static, str>>,
    /// The background that it is for; `None` is any.
    #[serde(skip_serializing_if = "Option::is_none", default, deserialize_with = "known")]
    pub theme: Option<IconTheme>,
}

/// The background that an icon is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum IconTheme {
    /// A light one.
    Light,
    /// A dark one.
    Dark,
}

/// One entry of `tools/list`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolInfo<'a> {
    pub(crate) name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) description: &'a str,
    pub(crate) input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annotations: Option<Cow<'a, ToolAnnotations>>,
    #[serde(skip_serializing_if = "<[Icon]>::is_empty")]
    pub(crate) icons: &'a [Icon],
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<&'a Map<String, Value>>,
}

impl ToolAnnotations {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Icon {
    /// An icon at `src`, an `https:` or `data:` URI.
    pub fn new(src: impl Into<Cow<'static, str>>) -> Self {
        Self { src: src.into(), mime_type: None, sizes: Vec::new(), theme: None }
    }

    /// Sets its media type.
    pub fn mime_type(mut self, mime_type: impl Into<Cow<'static, str>>) -> Self {
        self.mime_type = Some(mime_type.into());
        self
    }

    /// Sets the background that it is for.
    pub fn theme(mut self, theme: IconTheme) -> Self {
        self.theme = Some(theme);
        self
    }

    /// Adds a size such as `48x48`, or `any`.
    pub fn size(mut self, size: impl Into<Cow<'static, str>>) -> Self {
        self.sizes.push(size.into());
        self
    }
}

/// A client may have more themes.
fn known<'de, D: serde::Deserializer<'de>>(theme: D) -> Result<Option<IconTheme>, D::Error> {
    Ok(IconTheme::deserialize(Value::deserialize(theme)?).ok())
}
