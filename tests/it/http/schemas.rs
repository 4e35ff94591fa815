//! Every message that the fixture sends over HTTP is valid in its revision: the client judges.

use serde_json::{Value, json};

use super::client::{Client, MODERN, Request, Response};
use crate::clients::Server;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Tools that wait for something else.
const WAITING: [&str; 6] =
    ["until_cancelled", "reluctant", "four_together", "wait_loudly", "after_cancel", "changing"];

/// Calls, good ones and bad ones, besides those of each tool without arguments.
fn calls() -> Vec<(String, Value)> {
    [
        ("add", json!({"a": 1, "b": 2})),
        ("add", json!({"a": "x"})),
        ("echo", json!({"text": "é\u{2028}\u{0}"})),
        ("stats", json!({"numbers": [1, 2.5]})),
        ("search", json!({"query": "x", "filters": []})),
        ("fail", json!({"message": "no paper"})),
        ("big", json!({"bytes": 100_000})),
        ("spin", json!({"ms": 1})),
        ("test_custom_header", json!({})),
        ("no such tool", json!({})),
    ]
    .map(|(name, arguments)| (name.to_owned(), arguments))
    .into()
}

/// A client of one revision, in a session or without one.
struct Talk {
    client: Client,
    version: &'static str,
    session: Option<String>,
    heard: usize,
}

impl Talk {
    /// Begins with the handshake of the revision.
    async fn begin(server: &Server, version: &'static str) -> Self {
        let client = Client::connect(server.url()).await;
        let mut talk = Self { client, version, session: None, heard: 0 };
        if version == MODERN {
            talk.ask("server/discover", json!({})).await;
            return talk;
        }
        let client = json!({"name": "c", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let begun = talk.ask("initialize", params).await;
        assert_eq!(begun.answer()["result"]["protocolVersion"], version);
        talk.session = begun.headers.get("mcp-session-id").cloned();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ready = match &talk.session {
            Some(id) => Request::in_session(id, &ready),
            None => Request::legacy(version, &ready),
        };
        assert_eq!(talk.client.ask(&ready).await.status, 202);
        talk.ask("ping", json!({})).await;
        talk.ask("logging/setLevel", json!({"level": "debug"})).await;
        talk
    }

    fn request(&self, method: &str, params: Value) -> Request {
        if self.version == MODERN {
            return Request::modern(7, method, &params);
        }
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        match &self.session {
            Some(id) => Request::in_session(id, &message),
            None => Request::legacy(self.version, &message),
        }
    }

    async fn ask(&mut self, method: &str, params: Value) -> Response {
        let request = self.request(method, params);
        let response = self.client.ask(&request).await;
        assert_eq!(response.answer()["id"], 7, "{response:?}");
        self.heard += response.messages().len();
        response
    }

    /// Lists, and calls everything.
    async fn everything(&mut self) {
        let list = self.ask("tools/list", json!({})).await.answer();
        let tools = list["result"]["tools"].as_array().unwrap().iter();
        let names = tools.map(|tool| tool["name"].as_str().unwrap().to_owned());
        let each = names.filter(|name| !WAITING.contains(&name.as_str()));
        let each = each.map(|name| (name, json!({}))).chain(calls());
        for (name, arguments) in each.collect::<Vec<_>>() {
            let meta = json!({"progressToken": "p"});
            let params = json!({"name": name, "arguments": arguments, "_meta": meta});
            self.ask("tools/call", params).await;
        }
        self.ask("tools/list", json!({"cursor": "none"})).await;
        self.ask("tools/call", json!({"name": "add", "arguments": [1]})).await;
        self.ask("prompts/list", json!({})).await;
    }
}

#[tokio::test]
async fn everything_is_valid_in_its_revision_on_every_kind_of_server() {
    for (flags, has_events) in
        [(&[][..], true), (&["--sessions"], true), (&["--json"], false), (&["--layers"], true)]
    {
        let server = Server::http(flags).await;
        for version in LEGACY.into_iter().chain([MODERN]) {
            let mut talk = Talk::begin(&server, version).await;
            let has_session = flags == ["--sessions"] && version != MODERN;
            assert_eq!(talk.session.is_some(), has_session);
            talk.everything().await;
            let answered = 40;
            assert!(talk.heard > answered + if has_events { 5 } else { 0 }, "{}", talk.heard);
        }
    }
}

#[tokio::test]
async fn what_a_session_hears_is_valid_in_its_revision() {
    let server = Server::http(&["--sessions"]).await;
    for version in LEGACY {
        let mut talk = Talk::begin(&server, version).await;
        let id = talk.session.clone().unwrap();
        let mut listener = Client::connect(server.url()).await;
        let get = || Request::new("GET", "").with("mcp-session-id", &id);
        assert_eq!(listener.begin(&get()).await.status, 200);
        talk.ask("tools/call", json!({"name": "test_trigger_tool_change"})).await;
        while !listener.part().await.unwrap().contains("notifications/tools/list_changed") {}

        // A call that is cancelled, and a stream that is resumed.
        let meta = json!({"progressToken": "p"});
        let call = json!({"name": "until_cancelled", "_meta": meta});
        let mut calling = Client::connect(server.url()).await;
        let begun = calling.begin(&talk.request("tools/call", call)).await;
        assert_eq!(begun.headers["content-type"], "text/event-stream");
        let mut event = String::new();
        while !event.contains("data: {") {
            event = calling.part().await.unwrap();
        }
        let event = event.split("id: ").last().unwrap().lines().next().unwrap().to_owned();
        drop(calling);
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": 7}});
        assert_eq!(talk.client.ask(&Request::in_session(&id, &cancel)).await.status, 202);
        let resumed = listener_of(&server).await.ask(&get().with("last-event-id", &event)).await;
        assert_eq!((resumed.status, resumed.messages().len()), (200, 0), "{resumed:?}");

        let steps = json!({"name": "test_tool_with_progress", "_meta": meta});
        let mut calling = Client::connect(server.url()).await;
        calling.begin(&talk.request("tools/call", steps)).await;
        let mut event = calling.part().await.unwrap();
        while !event.contains("data: {") {
            event = calling.part().await.unwrap();
        }
        let event = event.split("id: ").last().unwrap().lines().next().unwrap().to_owned();
        drop(calling);
        let resumed = listener_of(&server).await.ask(&get().with("last-event-id", &event)).await;
        assert_eq!(resumed.answer()["result"]["content"][0]["text"], "done", "{resumed:?}");

        let ended = Request::new("DELETE", "").with("mcp-session-id", &id);
        assert_eq!(talk.client.ask(&ended).await.status, 200);
        assert_eq!(talk.client.ask(&talk.request("ping", json!({}))).await.status, 404);
    }
}

async fn listener_of(server: &Server) -> Client {
    Client::connect(server.url()).await
}

#[tokio::test]
async fn what_a_subscription_hears_is_valid() {
    let mut server = Server::http(&[]).await;
    let mut listener = Client::connect(server.url()).await;
    let wanted = json!({"notifications": {"toolsListChanged": true}});
    let begun = listener.begin(&Request::modern(7, "subscriptions/listen", &wanted)).await;
    assert_eq!((begun.status, &*begun.headers["content-type"]), (200, "text/event-stream"));
    let mut heard = listener.part().await.unwrap();
    let mut client = Client::connect(server.url()).await;
    client.ask(&Request::call("test_trigger_tool_change", &json!({}))).await;
    server.ended(0).await.unwrap();
    while let Some(part) = listener.part().await {
        heard += &part;
    }
    let methods: Vec<_> =
        super::client::messages(&heard).iter().map(|message| message["method"].clone()).collect();
    let listed = json!("notifications/tools/list_changed");
    let acknowledged = json!("notifications/subscriptions/acknowledged");
    assert_eq!(methods, [acknowledged, listed, Value::Null]);
}

#[tokio::test]
async fn the_answers_to_a_batch_are_valid() {
    for flags in [&[][..], &["--sessions"]] {
        let server = Server::http(flags).await;
        let mut talk = Talk::begin(&server, "2025-03-26").await;
        let request = |id: u64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let call = |id: u64, name: &str| {
            let meta = json!({"progressToken": id});
            request(id, "tools/call", json!({"name": name, "arguments": {}, "_meta": meta}))
        };
        let batch = json!([
            call(1, "test_image_content"),
            call(2, "test_tool_with_progress"),
            call(3, "no such tool"),
            request(4, "tools/list", json!({})),
            request(5, "ping", json!({})),
            request(6, "no/such", json!({})),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
            17,
        ]);
        let asked = match &talk.session {
            Some(id) => Request::in_session(id, &batch),
            None => Request::legacy("2025-03-26", &batch),
        };
        let response = talk.client.ask(&asked).await;
        let answers = response.answer();
        assert_eq!((response.status, answers.as_array().unwrap().len()), (200, 8), "{answers}");
    }
}
