//! The definition of a resource: its entry in a list.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use super::template::{UriTemplate, Uris};
use crate::mcp::call::{CallResult, Failure, Kind, Subject};
use crate::mcp::callee::{Callee, Shown};
use crate::mcp::extensions::Extensions;
use crate::mcp::protocol::{Annotations, Caching, Profile, ResourceInfo, app, encoded_uri};

/// A resource without its code. It holds no user code.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) callee: Callee,
    /// As it was written, and what it means or what is wrong with it.
    pub(super) uri: Cow<'static, str>,
    pub(super) template: Result<Arc<dyn Uris>, String>,
    pub(super) mime_type: Option<Cow<'static, str>>,
    pub(super) size: Option<u64>,
    pub(super) annotations: Option<Annotations>,
    pub(super) caching: Caching,
}

impl Definition {
    #[inline]
    pub(super) fn new(uri: Cow<'static, str>, callee: Callee) -> Self {
        Self {
            callee,
            template: UriTemplate::parse(&uri).map(|template| Arc::new(template) as _),
            mime_type: app::mime_type_of(&uri).map(Into::into),
            uri,
            size: None,
            annotations: None,
            caching: Caching::default(),
        }
    }

    /// True if it stands for many resources.
    pub(super) fn is_template(&self) -> bool {
        self.template.as_ref().is_ok_and(|template| !template.variables().is_empty())
    }

    /// The entry in `resources/list`, or in `resources/templates/list`.
    pub(crate) fn info(&self, profile: &Profile) -> ResourceInfo<'_> {
        let Shown { name, title, description, icons, meta } = self.callee.within(profile);
        let is_template = self.is_template();
        let uri = Some(encoded_uri(&self.uri, is_template));
        let (uri, uri_template) = if is_template { (None, uri) } else { (uri, None) };
        let annotations = self.annotations.as_ref().map(|annotations| {
            let mut annotations = Cow::Borrowed(annotations);
            if !profile.has_meta && annotations.last_modified.is_some() {
                annotations.to_mut().last_modified = None;
            }
            annotations
        });
        ResourceInfo {
            uri,
            uri_template,
            name,
            title,
            description,
            mime_type: self.mime_type.as_deref(),
            size: self.size.filter(|_| !is_template),
            annotations,
            icons,
            meta,
        }
    }

    /// The mistakes that keep the resource out of a registry whose server has these values.
    pub(crate) fn defects(&self, values: &Extensions) -> Vec<String> {
        let mut defects = Vec::new();
        if let Err(defect) = &self.template {
            defects.push(format!("its URI is wrong: {defect}"));
        }
        if let Some(annotations) = &self.annotations {
            defects.append(&mut annotations.defects());
        }
        defects.append(&mut self.callee.defects(values));
        defects
    }
}

impl Subject for Definition {
    fn name(&self) -> &str {
        &self.uri
    }

    fn kind(&self) -> Kind {
        self.callee.kind
    }

    fn timeout(&self) -> Option<Duration> {
        self.callee.timeout
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        self.callee.refusal("resource", failure)
    }
}
