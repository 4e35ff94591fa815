//! The question of a server.

use std::sync::Arc;

use serde::Serialize;

use super::answer::{Action, ElicitationAnswer};
use crate::CancelToken;
use crate::agent::permission::answer::object as object_of;
use crate::agent::run_ref::RunRef;
use crate::agent::wire::{self, Cursor, RawJson, Text, kept, object, record};
use crate::scan::{self, Members};

/// The question of an MCP server to the user.
///
/// ```
/// use toolwright::agent::elicitation::ElicitationKind;
/// use toolwright::agent::{ElicitationAnswer, ElicitationRequest};
/// use toolwright::json;
/// # fn prompt(_: &str) -> String { String::new() }
/// # fn open(_: &str) {}
///
/// async fn answer(question: ElicitationRequest) -> ElicitationAnswer {
///     println!("{} asks: {}", question.mcp_server_name, question.message);
///     match &question.kind {
///         ElicitationKind::Form { property_order, .. } if property_order == &["name"] => {
///             question.accept(json!({"name": prompt("name")}))
///         }
///         ElicitationKind::Url { url, .. } if url.starts_with("https://shop.example/") => {
///             open(url);
///             question.agree()
///         }
///         _ => question.decline(),
///     }
/// }
/// # let _ = toolwright::agent::AgentOptions::builder().on_elicitation(answer);
/// ```
///
/// Any server may ask anything: show people which one asks, and neither send a secret in a form nor
/// open a page unseen.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ElicitationRequest {
    /// The name of the server that asks.
    pub mcp_server_name: String,
    /// The question, for people.
    pub message: String,
    /// How it is asked, and so how it is answered.
    pub kind: ElicitationKind,
    /// A title for it, for people.
    pub title: Option<String>,
    /// The name of what asks, for people.
    pub display_name: Option<String>,
    /// What asks, for people.
    pub description: Option<String>,
    /// Cancelled when nobody wants an answer any more: the turn was interrupted, or the tool that
    /// asked has ended. The callback's future is then dropped. But if anything has waited for
    /// [`cancelled`](CancelToken::cancelled) by then, the future has a second to end by itself, for
    /// example to close a dialog; what it returns is not used.
    pub withdrawn: CancelToken,
    pub(in crate::agent) run: RunRef,
    raw: Text,
}

/// How a server asks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ElicitationKind {
    /// By a form: the answer is an object with its properties.
    #[non_exhaustive]
    Form {
        /// The JSON Schema of the answer: an object whose properties are strings, numbers,
        /// integers, booleans and choices. [`RawJson::to_value`] gives it as a tree.
        requested_schema: RawJson,
        /// The names of its properties, in the order in which to ask for them.
        property_order: Vec<String>,
    },
    /// By a page to visit: the answer says whether the user does that, and the page does the rest.
    #[non_exhaustive]
    Url {
        /// The page.
        url: String,
        /// The id of the question, which
        /// [`SystemMessage::ElicitationComplete`](crate::agent::message::SystemMessage) names once
        /// the page has done its part.
        elicitation_id: Option<String>,
    },
    /// In another way, which this version does not know.
    Other(String),
}

record! {
    /// A question as it comes: the `request` of the CLI's control request, or the `params` of an
    /// in-process server's `elicitation/create`.
    struct Question {
        pub mcp_server_name: String,
        pub message: String,
        pub mode: Option<String>,
        pub requested_schema: Option<RawJson> = "requested_schema" | "requestedSchema" => object,
        pub property_order: Option<Vec<String>>,
        pub url: Option<String>,
        pub elicitation_id: Option<String> = "elicitation_id" | "elicitationId",
        pub title: Option<String>,
        pub display_name: Option<String>,
        pub description: Option<String>,
        pub meta: Meta = "_meta",
        ; raw
    }

    struct Meta {
        pub display: Display = "anthropic/permissionDisplay",
    }

    /// What the CLI shows beside a question, and passes on as members of the question itself.
    struct Display {
        pub title: Option<String>,
        pub display_name: Option<String> = "displayName",
        pub description: Option<String>,
    }
}

kept! { ElicitationRequest }

impl ElicitationRequest {
    /// The user has filled in the form. `content` must be a JSON object; the server checks it
    /// against its schema, and the CLI does not. A page gets no content.
    ///
    /// Content that is no JSON object [cancels](Self::cancel) the question, and an error in the log
    /// says so.
    pub fn accept(&self, content: impl Serialize) -> ElicitationAnswer {
        match self.kind {
            ElicitationKind::Url { .. } => self.agree(),
            _ => ElicitationAnswer(Action::Accept(Some(object_of(content)))),
        }
    }

    /// The user agrees to visit the page, or to what a form without properties says.
    pub fn agree(&self) -> ElicitationAnswer {
        ElicitationAnswer(Action::Accept(None))
    }

    /// The user says no.
    pub fn decline(&self) -> ElicitationAnswer {
        ElicitationAnswer(Action::Decline)
    }

    /// The user gives no answer: the question was closed, or nobody is there.
    pub fn cancel(&self) -> ElicitationAnswer {
        ElicitationAnswer(Action::Cancel)
    }

    /// Reads a question. `server` is the name of an in-process server, whose questions do not have
    /// it.
    ///
    /// # Errors
    ///
    /// It is no JSON that Rust's types can hold, or it lacks what it asks for: a callback must not
    /// answer an empty form in the place of one that cannot be read.
    pub(crate) fn read(
        text: Arc<str>,
        server: Option<&str>,
        withdrawn: CancelToken,
    ) -> Result<Self, String> {
        wire::check(&text).map_err(|error| error.to_string())?;
        let question: Question = *wire::read(Cursor::of(&text)).unwrap_or_default();
        let display = question.meta.display;
        let kind = match (question.mode.as_deref().unwrap_or("form"), question.url) {
            ("form", _) => {
                let requested_schema =
                    question.requested_schema.ok_or("it has no schema of the answer")?;
                let by_schema = || properties(requested_schema.get());
                let property_order = question.property_order.unwrap_or_else(by_schema);
                ElicitationKind::Form { requested_schema, property_order }
            }
            ("url", Some(url)) => {
                ElicitationKind::Url { url, elicitation_id: question.elicitation_id }
            }
            ("url", None) => return Err("it has no page to visit".into()),
            (other, _) => ElicitationKind::Other(other.to_owned()),
        };
        Ok(Self {
            mcp_server_name: server.map_or(question.mcp_server_name, str::to_owned),
            message: question.message,
            kind,
            title: question.title.or(display.title),
            display_name: question.display_name.or(display.display_name),
            description: question.description.or(display.description),
            withdrawn,
            run: RunRef::default(),
            raw: question.raw,
        })
    }
}

impl Default for ElicitationKind {
    /// A form without properties.
    fn default() -> Self {
        Self::Form { requested_schema: RawJson::default(), property_order: Vec::new() }
    }
}

/// The names of a schema's properties, in its order.
fn properties(schema: &str) -> Vec<String> {
    let mut names = Vec::new();
    let members = scan::member(schema, "properties").map(Members::of);
    if let Some(Ok(mut members)) = members {
        while let Ok(Some(name)) = members.key() {
            names.push(scan::unescape(name).into_owned());
            if members.value().is_err() {
                break;
            }
        }
    }
    names
}
