//! What is said out of turn, and what the client takes back.

use serde_json::{Map, Value};

use super::{Session, Step, Subscription};
use crate::mcp::link::CallId;
use crate::mcp::protocol::{
    ErrorObject, Params, Request, RequestId, SERVER_INFO, SUBSCRIPTION_ID, write_json,
};
use crate::scan;

/// A client needs one. Each costs memory, and time whenever a request comes.
const MOST_SUBSCRIPTIONS: usize = 256;

impl Session {
    /// `notifications/cancelled`: frees the id and says nothing more for it. What is unknown or
    /// finished is ignored, as MCP asks.
    pub(super) fn cancelled(&mut self, params: &Params<'_>) -> Step<'static> {
        let Some(id) = params.get("requestId") else { return Step::Idle };
        self.subscriptions.retain(|subscription| subscription.id.as_json() != id);
        match self.in_flight.find(id) {
            Some(call) => {
                self.in_flight.remove(&call);
                Step::Cancel(call)
            }
            None => Step::Idle,
        }
    }

    /// `subscriptions/listen`: acknowledged at once, answered when the session closes.
    pub(super) fn listen(
        &mut self,
        request: &Request<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorObject> {
        let wanted = request.params.get("notifications").filter(|wanted| wanted.starts_with('{'));
        let wanted = wanted
            .ok_or_else(|| ErrorObject::invalid_params("`notifications` must be an object"))?;
        let tools = scan::member(wanted, "toolsListChanged") == Some("true");
        if self.subscriptions.len() >= MOST_SUBSCRIPTIONS {
            return Err(ErrorObject::new(
                ErrorObject::INVALID_REQUEST,
                "Invalid request: too many subscriptions are open",
            ));
        }
        self.hear_of_changes();
        let id = RequestId::new(request.id);
        write_on_subscription(out, "notifications/subscriptions/acknowledged", &id, |out| {
            out.extend_from_slice(b"\"notifications\":");
            out.extend_from_slice(if tools { b"{\"toolsListChanged\":true}" } else { b"{}" });
            out.push(b',');
        });
        self.subscriptions.push(Subscription { id, to_tools: tools });
        Ok(())
    }

    /// From now on the registry tells of changes. Not from the beginning on: while a host that
    /// holds its session is being made its link looks like one that is dead already, and the
    /// registry would forget it.
    pub(super) fn hear_of_changes(&mut self) {
        if !std::mem::replace(&mut self.is_told, true) {
            self.registry.subscribe(self.link.clone());
        }
    }

    /// Says something about a running call; says nothing if the call is over.
    pub fn notify(
        &mut self,
        call: &CallId,
        write: &mut dyn FnMut(&mut Vec<u8>),
        out: &mut Vec<u8>,
    ) {
        if self.is_running(call) {
            write(out);
        }
    }

    /// Tells the client that the tools are others now: in the legacy era once it is initialised, in
    /// the modern one where it listens.
    pub fn tools_changed(&mut self, out: &mut Vec<u8>) {
        if self.legacy.initialized {
            out.extend_from_slice(
                b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n",
            );
        }
        for subscription in self.subscriptions.iter().filter(|subscription| subscription.to_tools) {
            write_on_subscription(
                out,
                "notifications/tools/list_changed",
                &subscription.id,
                |_| {},
            );
        }
    }

    /// `,"_meta":{…}` with who this server is, for results of the modern era.
    pub(super) fn write_server_info(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
        out.extend_from_slice(&self.registry.server().info_json);
        out.push(b'}');
    }

    pub(super) fn add_server_info(&self, meta: &mut Map<String, Value>) {
        meta.insert(
            SERVER_INFO.into(),
            serde_json::to_value(&self.registry.server().info).unwrap_or_default(),
        );
    }
}

fn write_on_subscription(
    out: &mut Vec<u8>,
    method: &str,
    id: &RequestId,
    members: impl FnOnce(&mut Vec<u8>),
) {
    out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":");
    write_json(out, method);
    out.extend_from_slice(b",\"params\":{");
    members(out);
    out.extend_from_slice(b"\"_meta\":{");
    write_json(out, SUBSCRIPTION_ID);
    out.push(b':');
    out.extend_from_slice(id.as_json().as_bytes());
    out.extend_from_slice(b"}}}\n");
}
