//! The result of a `resources/read`, in the form of each revision.

use super::definition::Definition;
use crate::mcp::call::{CallResult, Ended, Outcome, Reply};
use crate::mcp::protocol::{
    Caching, ErrorObject, Profile, ResourceContents, app, encoded_uri, write_json,
};
use crate::mcp::schema::keyword::only;

/// The contents that a resource has returned.
#[derive(Debug)]
pub(crate) struct ResourceReply {
    /// `None` if there is no such resource.
    contents: Option<Vec<ResourceContents>>,
    caching: Caching,
}

impl ResourceReply {
    /// The end of the work of a resource.
    #[inline]
    pub(crate) fn ended(returned: Result<Option<Vec<ResourceContents>>, ErrorObject>) -> Ended {
        Ended(match returned {
            Ok(contents) => {
                let caching = Caching::default();
                Ok(Outcome::Complete(Box::new(Self { contents, caching })))
            }
            Err(error) => Err(error.into()),
        })
    }

    /// Completes a result by the URI that was asked for and by what the resource's definition says.
    #[inline]
    pub(super) fn completed(result: CallResult, uri: &str, definition: &Definition) -> CallResult {
        let mut reply = match result {
            Ok(Outcome::Complete(reply)) => reply,
            other => return other,
        };
        let any: &mut dyn std::any::Any = &mut *reply;
        let Some(Self { contents, caching }) = any.downcast_mut() else {
            return Ok(Outcome::Complete(reply));
        };
        *caching = definition.caching;
        let Some(contents) = contents else { return Err(not_found(uri).into()) };
        for content in contents {
            if content.uri.is_empty() {
                content.uri = encoded_uri(uri, false).into_owned();
            }
            if content.mime_type.is_none() {
                content.mime_type = definition.mime_type.as_deref().map(Into::into);
            }
            // Hosts look for it here first.
            if let Some(ui) = definition.callee.meta.get(app::META).filter(|_| app::is_view(uri)) {
                content.meta.entry(app::META).or_insert_with(|| ui.clone());
            }
        }
        Ok(Outcome::Complete(reply))
    }
}

/// The error for a URI that no resource has.
pub(crate) fn not_found(uri: &str) -> ErrorObject {
    let message = format!("Resource not found: {uri}");
    ErrorObject::new(ErrorObject::RESOURCE_NOT_FOUND, message).with_data(only("uri", uri.into()))
}

impl Reply for ResourceReply {
    #[inline]
    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\"contents\":");
        let contents = self.contents.as_deref().unwrap_or_default();
        match profile.has_meta {
            true => write_json(out, contents),
            false => {
                let mut contents = contents.to_vec();
                contents.iter_mut().for_each(|content| content.meta.clear());
                write_json(out, &contents);
            }
        }
        self.caching.write(profile, out);
    }
}
