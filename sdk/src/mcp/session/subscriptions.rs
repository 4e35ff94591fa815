//! The open `subscriptions/listen` requests.

use crate::mcp::outbox::Outbox;
use crate::mcp::protocol::{ErrorObject, ListKind, Request, RequestId, Revision};
use crate::scan;

/// A client needs one. Each uses memory, and time at every request.
const MOST: usize = 256;
/// The most bytes of the id of a subscription, which every notification of it repeats.
const LONGEST_ID: usize = 1_024;

#[derive(Default)]
pub(super) struct Subscriptions(Vec<Subscription>);

struct Subscription {
    id: RequestId,
    lists: Vec<ListKind>,
}

impl Subscriptions {
    pub(super) fn contains(&self, id: &RequestId) -> bool {
        self.0.iter().any(|subscription| subscription.id == *id)
    }

    /// Opens a subscription and acknowledges it; its request is answered when it closes.
    pub(super) fn open(
        &mut self,
        request: &Request<'_>,
        out: &mut Outbox,
    ) -> Result<(), ErrorObject> {
        let wanted = request.params.get("notifications").filter(|wanted| wanted.starts_with('{'));
        let wanted = wanted
            .ok_or_else(|| ErrorObject::invalid_params("`notifications` must be an object"))?;
        let is_wanted = |list: &ListKind| scan::member(wanted, list.subscription()) == Some("true");
        let lists: Vec<_> = ListKind::ALL.into_iter().filter(is_wanted).collect();
        let refused = |message| Err(ErrorObject::new(ErrorObject::INVALID_REQUEST, message));
        if self.0.len() >= MOST {
            return refused("Invalid request: too many subscriptions are open");
        }
        if request.id.to_string().len() > LONGEST_ID {
            return refused("Invalid request: the id of a subscription has more than 1,024 bytes");
        }
        let id = request.id.clone();
        out.on_subscription(&id, "notifications/subscriptions/acknowledged", |out| {
            out.extend_from_slice(b"\"notifications\":{");
            for (position, list) in lists.iter().enumerate() {
                let comma = if position > 0 { "," } else { "" };
                out.extend([comma, "\"", list.subscription(), "\":true"].concat().bytes());
            }
            out.extend_from_slice(b"},");
        });
        self.0.push(Subscription { id, lists });
        Ok(())
    }

    /// Closes a subscription that the client has cancelled.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        self.0.retain(|subscription| subscription.id != *id);
    }

    /// Notifies the subscriptions to `list` of a change.
    pub(super) fn changed(&self, list: ListKind, out: &mut Outbox) {
        for subscription in self.0.iter().filter(|open| open.lists.contains(&list)) {
            out.on_subscription(&subscription.id, list.changed(), |_| {});
        }
    }

    /// Answers all subscriptions; `server` is the server's description as JSON text.
    pub(super) fn close(&mut self, server: &[u8], out: &mut Outbox) {
        for Subscription { id, .. } in std::mem::take(&mut self.0) {
            out.result(&id, None, Revision::LATEST, |out| {
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
