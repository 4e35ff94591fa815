//! What a client has subscribed to: by `subscriptions/listen`, and by `resources/subscribe`.

#[cfg(feature = "http")]
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::mcp::outbox::{About, Outbox};
use crate::mcp::places::Places;
use crate::mcp::protocol::{
    ErrorObject, ListKind, Offers, Request, RequestId, Revision, TaskState, Topic, write_json,
};
use crate::mcp::resource::canonical;
use crate::mcp::rounds::Owner;
use crate::scan;

/// A client needs one. Each uses memory, and time at every request.
const MOST: usize = 256;
/// The most bytes of the id of a subscription, which every notification of it repeats.
const LONGEST_ID: usize = 1_024;
/// The most resources and tasks that a client can subscribe to, and the most bytes of their URIs
/// and ids together.
const MOST_NAMED: usize = 1_024;
const MOST_BYTES: usize = 64 * 1024;
const TASK: &str = "notifications/tasks";
const UPDATED: &str = "notifications/resources/updated";

#[derive(Default)]
pub(super) struct Subscriptions {
    open: Vec<Subscription>,
    /// The resources of `resources/subscribe`.
    resources: Vec<Box<str>>,
}

/// An open `subscriptions/listen`.
struct Subscription {
    id: RequestId,
    lists: Vec<ListKind>,
    resources: Vec<Box<str>>,
    /// The ids of tasks, which may be unknown, or of another owner.
    tasks: Vec<Box<str>>,
    /// The members of each of them that were told last, as a hash: results can be long.
    told: Places<'static>,
    owner: Option<Owner>,
}

impl Subscription {
    fn is_to(&self, task: &TaskState) -> bool {
        self.tasks.contains(&task.id) && self.owner.as_ref().map(|it| &it.0) == task.owner.as_ref()
    }

    /// Returns false if the client knows this state. Of two changes in short succession both may
    /// have found the second state in the store.
    fn learns(&mut self, task: &TaskState) -> bool {
        let mut hasher = DefaultHasher::new();
        task.members.hash(&mut hasher);
        let hash = hasher.finish() as usize;
        self.told.set(task.id.to_string().into(), hash) != Some(hash)
    }
}

impl Subscriptions {
    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.open.iter().any(|subscription| subscription.id == *id)
    }

    /// Opens a subscription and acknowledges it; its request is answered when it closes. It is to
    /// the tasks of this owner.
    pub(super) fn open(
        &mut self,
        request: &Request<'_>,
        offers: Offers,
        owner: Option<Owner>,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let wanted = request.params.get("notifications").filter(|wanted| wanted.starts_with('{'));
        let wanted = wanted
            .ok_or_else(|| ErrorObject::invalid_params("`notifications` must be an object"))?;
        let mut lists = Vec::new();
        for list in ListKind::ALL {
            if offers.has(list) && scan::member(wanted, list.subscription()) == Some("true") {
                lists.push(list);
            }
        }
        let resources = match scan::member(wanted, "resourceSubscriptions") {
            Some(uris) if offers.resources => strings("resourceSubscriptions", uris)?,
            _ => Vec::new(),
        };
        let tasks = match scan::member(wanted, "taskIds") {
            Some(ids) if offers.tasks => strings("taskIds", ids)?,
            _ => Vec::new(),
        };
        let refused = |message| Err(ErrorObject::invalid_request(message));
        if self.open.len() >= MOST {
            return refused("Invalid request: too many subscriptions are open");
        }
        if request.id.to_string().len() > LONGEST_ID {
            return refused("Invalid request: the id of a subscription has more than 1,024 bytes");
        }
        let (resources, tasks) = (without_repeats(resources), without_repeats(tasks));
        self.has_room(&[&resources, &tasks])?;
        let id = request.id.clone();
        out.on_subscription(&id, "notifications/subscriptions/acknowledged", &mut |out| {
            out.extend_from_slice(b"\"notifications\":{");
            let mut comma = "";
            for list in &lists {
                push(out, &[comma, "\"", list.subscription(), "\":true"]);
                comma = ",";
            }
            if !resources.is_empty() {
                push(out, &[comma, "\"resourceSubscriptions\":"]);
                write_json(out, &resources);
                comma = ",";
            }
            if !tasks.is_empty() {
                push(out, &[comma, "\"taskIds\":"]);
                write_json(out, &tasks);
            }
            out.extend_from_slice(b"},");
        });
        let told = Places::default();
        self.open.push(Subscription { id, lists, resources, tasks, told, owner });
        Ok(())
    }

    /// Closes a subscription that the client has cancelled.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        self.open.retain(|subscription| subscription.id != *id);
    }

    /// `resources/subscribe`. Two for one URI are like one.
    pub(super) fn subscribe(&mut self, uri: &str) -> Result<(), ErrorObject> {
        if !self.resources.iter().any(|known| **known == *uri) {
            let uri = uri.into();
            self.has_room(&[std::slice::from_ref(&uri)])?;
            self.resources.push(uri);
        }
        Ok(())
    }

    /// `resources/unsubscribe`.
    pub(super) fn unsubscribe(&mut self, uri: &str) {
        self.resources.retain(|known| **known != *uri);
    }

    /// True if a subscription is to this resource, or to any.
    #[cfg(feature = "host")]
    pub(super) fn want(&self, resource: Option<&str>) -> bool {
        let is_in = |uris: &[Box<str>]| uris.iter().any(|uri| is_of(uri, resource));
        is_in(&self.resources) || self.open.iter().any(|open| is_in(&open.resources))
    }

    /// True if a subscription is to this task.
    #[cfg(feature = "host")]
    pub(super) fn want_task(&self, task: &TaskState) -> bool {
        self.open.iter().any(|open| open.is_to(task))
    }

    /// Adds the ids of the tasks that subscriptions are to.
    #[cfg(feature = "http")]
    pub(super) fn add_tasks(&self, ids: &mut HashSet<Box<str>>) {
        self.open.iter().for_each(|open| ids.extend(open.tasks.iter().cloned()));
    }

    /// Notifies the subscriptions to `topic` of a change.
    pub(super) fn changed(&mut self, topic: &Topic, out: &mut Outbox) {
        match topic {
            Topic::List(list) => {
                for open in self.open.iter().filter(|open| open.lists.contains(list)) {
                    out.on_subscription(&open.id, list.changed(), &mut |_| {});
                }
            }
            Topic::Resource(resource) => self.updated(resource.as_deref(), out),
            Topic::Task(task) => {
                for open in self.open.iter_mut().filter(|open| open.is_to(task)) {
                    if !open.learns(task) {
                        continue;
                    }
                    out.on_subscription(&open.id, TASK, &mut |out| {
                        out.extend_from_slice(task.members.as_bytes());
                        out.push(b',');
                    });
                }
            }
        }
    }

    /// The client knows the resource by the text that it has sent, or by each of several.
    fn updated(&self, resource: Option<&str>, out: &mut Outbox) {
        let write_uri = |uri: &str, out: &mut Vec<u8>| {
            out.extend_from_slice(b"\"uri\":");
            write_json(out, uri);
        };
        for uri in self.resources.iter().filter(|uri| is_of(uri, resource)) {
            let mut params = |out: &mut Vec<u8>| write_uri(uri, out);
            out.notification(About::Session, UPDATED, Some(&mut params));
        }
        for open in &self.open {
            for uri in open.resources.iter().filter(|uri| is_of(uri, resource)) {
                out.on_subscription(&open.id, UPDATED, &mut |out| {
                    write_uri(uri, out);
                    out.push(b',');
                });
            }
        }
    }

    fn has_room(&self, more: &[&[Box<str>]]) -> Result<(), ErrorObject> {
        let (mut number, mut bytes) = (0, 0);
        let mut count = |names: &[Box<str>]| {
            number += names.len();
            for name in names {
                bytes += name.len();
            }
        };
        for open in &self.open {
            count(&open.resources);
            count(&open.tasks);
        }
        count(&self.resources);
        for names in more {
            count(names);
        }
        match number <= MOST_NAMED && bytes <= MOST_BYTES {
            true => Ok(()),
            false => Err(ErrorObject::invalid_request(
                "Invalid request: a client can subscribe to at most 1,024 resources and tasks, \
                 with URIs and ids of 65,536 bytes together",
            )),
        }
    }

    /// Answers all subscriptions; `server` is the server's description as JSON text.
    pub(super) fn close(&mut self, server: &[u8], out: &mut Outbox) {
        for Subscription { id, .. } in std::mem::take(&mut self.open) {
            out.result(&id, None, Revision::LATEST, &mut |out| {
                out.extend_from_slice(b"\"resultType\":\"complete\",\"_meta\":{");
                out.extend_from_slice(b"\"io.modelcontextprotocol/subscriptionId\":");
                id.write(out);
                out.extend_from_slice(b",\"io.modelcontextprotocol/serverInfo\":");
                out.extend_from_slice(server);
                out.push(b'}');
            });
        }
    }
}

/// True of each URI of this resource, or of all.
fn is_of(uri: &str, resource: Option<&str>) -> bool {
    resource.is_none_or(|resource| canonical(uri) == resource)
}

fn push(out: &mut Vec<u8>, pieces: &[&str]) {
    for piece in pieces {
        out.extend_from_slice(piece.as_bytes());
    }
}

/// What is named more than once is told once.
fn without_repeats(names: Vec<Box<str>>) -> Vec<Box<str>> {
    let (mut seen, mut once) = (Places::default(), Vec::new());
    for name in names {
        if seen.add(name.to_string().into()) {
            once.push(name);
        }
    }
    once
}

/// The value of a member that is a JSON array of strings.
fn strings(member: &str, value: &str) -> Result<Vec<Box<str>>, ErrorObject> {
    let wrong = || ErrorObject::invalid_params(format!("`{member}` must be an array of strings"));
    let mut strings = Vec::new();
    for text in scan::elements(value).map_err(|_| wrong())? {
        strings.push(scan::string(text).ok_or_else(wrong)?.into());
    }
    Ok(strings)
}
