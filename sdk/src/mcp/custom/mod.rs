//! Requests outside of the protocol, and the functions that answer them.

mod members;
mod reply;

use std::fmt::Display;
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::args::{BadArguments, Input, decode_whole};
use super::call::{Begun, CallResult, Decoder, Ended, Failure, Subject, Work};
use super::callee::{Callee, Handler};
use super::context::{Caller, Context};
use super::protocol::ErrorObject;
use members::members_that;
use reply::CustomReply;

/// What answers the requests by one method.
#[derive(Clone)]
pub(crate) struct CustomRequest {
    pub(crate) method: Arc<Method>,
    handler: Handler,
}

/// The method. It holds no user code.
#[derive(Debug)]
pub(crate) struct Method(Callee);

impl CustomRequest {
    pub(crate) fn new<A, F, Fut, O, E>(method: String, handler: F) -> Self
    where
        A: DeserializeOwned + Send + 'static,
        F: FnOnce(A, Context) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<O, E>> + Send + 'static,
        O: Serialize + 'static,
        E: Display + 'static,
    {
        let start = move |input: &Input<'_>| -> Result<Work, BadArguments> {
            let params = decode_whole::<A>(input)?;
            let handler = handler.clone();
            let answer = handler(params, input.context());
            Ok(Work(Box::pin(async move {
                match answer.await {
                    Ok(result) => CustomReply::ended(&result),
                    Err(error) => Ended::refused(refusal(&error)),
                }
            })))
        };
        let method = Arc::new(Method(Callee::new(method.into(), "".into())));
        Self { method, handler: Handler::new(Arc::new(start)) }
    }
}

/// The error of the protocol that a function has made, or one with the text of its error.
fn refusal<E: Display + 'static>(error: &E) -> ErrorObject {
    let own = ErrorObject::found_in(error).cloned();
    own.unwrap_or_else(|| ErrorObject::of_failure(error))
}

impl Subject for Method {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn failure(&self, failure: Failure<'_>) -> CallResult {
        self.0.refusal("method", failure)
    }
}

impl Decoder for CustomRequest {
    fn subject(&self) -> &dyn Subject {
        &*self.method
    }

    fn decode(&self, params: Option<&str>, caller: &dyn Caller) -> Result<Begun, BadArguments> {
        let params = params.unwrap_or("{}");
        // `_meta` is the protocol's.
        let own = members_that(params, |key| key != "_meta");
        self.handler.begin(&self.method.0, Some(own.as_deref().unwrap_or(params)), caller)
    }
}
