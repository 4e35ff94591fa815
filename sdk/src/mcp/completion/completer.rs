//! What completes an argument.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::values::IntoValues;
use crate::mcp::call::Kind;
use crate::mcp::callee::Callee;
use crate::mcp::context::Context;
use crate::mcp::schema::keyword::choices;

/// What a completion function finds besides the text that is typed so far.
///
/// ```
/// use toolwright::{Completing, prompt};
///
/// async fn branches(typed: &str, at: &Completing) -> Vec<String> {
///     let all = match at.argument("repository") {
///         Some("docs") => vec!["main", "drafts"],
///         _ => vec!["main"],
///     };
///     all.into_iter().filter(|name| name.starts_with(typed)).map(str::to_owned).collect()
/// }
///
/// /// Review a branch.
/// #[prompt]
/// fn review(repository: &str, #[arg(complete = branches)] branch: &str) -> String {
///     format!("Review {branch} of {repository}.")
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Completing {
    pub(super) chosen: Map<String, Value>,
    pub(super) context: Context,
}

/// Completes one argument.
#[derive(Clone)]
pub(crate) struct Completer {
    pub(crate) argument: Cow<'static, str>,
    pub(super) kind: Kind,
    pub(super) complete: Arc<Complete>,
}

type Complete = dyn Fn(String, Completing) -> Values + Send + Sync;

type Values = Pin<Box<dyn Future<Output = Vec<String>> + Send>>;

impl Completing {
    /// What the user has chosen for another argument before.
    #[inline]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.chosen.get(name)?.as_str()
    }

    /// The request: the client, its `_meta`, and the values of the server
    /// ([`Context::extension`]).
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Completer {
    pub(crate) fn new<F, T, K>(argument: Cow<'static, str>, complete: F) -> Self
    where
        F: Fn(String, Completing) -> T + Send + Sync + 'static,
        T: IntoValues<K>,
    {
        let complete = Arc::new(complete);
        let complete = move |typed, at| -> Values {
            let complete = complete.clone();
            Box::pin(async move { complete(typed, at).into_values().await })
        };
        Self { argument, kind: T::KIND, complete: Arc::new(complete) }
    }

    /// Completes an argument by the values that its type has, if it is an enum or a `bool`.
    fn of_schema(callee: &Callee, argument: &str) -> Option<Self> {
        let values = values(callee.schema.as_ref()?.get("properties")?.get(argument)?)?;
        let complete = move |typed: String, _| -> Values {
            let mut found = Vec::new();
            for value in &values {
                if value.starts_with(&typed) {
                    found.push(value.clone());
                }
            }
            Box::pin(std::future::ready(found))
        };
        let argument = argument.to_owned().into();
        Some(Self { argument, kind: Kind::Async, complete: Arc::new(complete) })
    }

    /// The first of `completers` for an argument, or the one by its type.
    pub(crate) fn find(completers: &[Self], callee: &Callee, argument: &str) -> Option<Self> {
        let given = completers.iter().find(|completer| completer.argument == argument);
        given.cloned().or_else(|| Self::of_schema(callee, argument))
    }

    /// True if an argument of `callee` can be completed.
    pub(crate) fn is_there(completers: &[Self], callee: &Callee) -> bool {
        let properties = callee.schema.as_ref().and_then(|schema| schema.get("properties"));
        let properties = properties.and_then(Value::as_object);
        let has_values = |properties: &Map<String, Value>| {
            properties.values().any(|property| values(property).is_some())
        };
        !completers.is_empty() || properties.is_some_and(has_values)
    }
}

impl fmt::Debug for Completer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Completer").field(&self.argument).finish()
    }
}

/// The values of a type, if it is an enum or a `bool`.
fn values(schema: &Value) -> Option<Vec<String>> {
    if schema.get("type").is_some_and(|of| of == "boolean") {
        return Some(vec!["true".into(), "false".into()]);
    }
    let mut values = Vec::new();
    match schema.get("enum") {
        Some(Value::Array(listed)) => add(listed, &mut values),
        _ => {
            // Variants without documentation are in one list beside those that have some.
            for variant in schema.get("oneOf")?.as_array()? {
                add(variant.as_object().and_then(choices).unwrap_or_default(), &mut values);
            }
        }
    }
    Some(values)
}

fn add(listed: &[Value], values: &mut Vec<String>) {
    for value in listed {
        values.extend(value.as_str().map(str::to_owned));
    }
}
