mod bounds;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use super::*;
use crate::CancelToken;
use crate::agent::memory_cli::play;
use crate::agent::view::reply::Reply;
use crate::agent::{AgentClient, AgentOptions, Permission, PermissionRequest};
use crate::testing::ScriptedCli;
use crate::{ToolRegistry, json, tool, tools};

/// Delete a file.
#[tool(destructive)]
async fn delete(file: &str) -> String {
    format!("{file} is gone")
}

/// A browser as far as the page sees it.
#[derive(Clone)]
struct Browser {
    address: SocketAddr,
    token: String,
}

impl Browser {
    fn of(page: &Page) -> Self {
        Self { address: page.address, token: page.site.token.to_string() }
    }

    /// Sends a request with these header lines, and gives what comes back.
    fn open(&self, line: &str, headers: &str, body: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let length = body.len();
        write!(
            stream,
            "{line} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        BufReader::new(stream)
    }

    fn send(&self, line: &str, headers: &str, body: &str) -> String {
        let mut text = String::new();
        self.open(line, headers, body).read_to_string(&mut text).unwrap();
        text
    }

    fn post(&self, path: &str, body: &str) -> String {
        let line = format!("POST {path}?token={}", self.token);
        self.send(&line, &format!("Host: {0}\r\nOrigin: http://{0}\r\n", self.address), body)
    }

    /// The events from this number on, until one has this type.
    fn events(&self, from: Option<u64>, last: &str) -> Vec<Value> {
        let line = format!("GET /events?token={}", self.token);
        let id = from.map(|from| format!("Last-Event-ID: {from}\r\n")).unwrap_or_default();
        let lines = self.open(&line, &format!("Host: {}\r\n{id}", self.address), "").lines();
        let mut events = Vec::new();
        for line in lines {
            let line = line.unwrap();
            let Some(data) = line.strip_prefix("data: ") else { continue };
            let event = serde_json::from_str::<Value>(data).unwrap()["event"].take();
            let is_last = event["type"] == last;
            events.push(event);
            if is_last {
                return events;
            }
        }
        panic!("the events end without {last}: {events:?}");
    }
}

/// Runs what a browser does, which blocks, beside the page.
async fn aside<T: Send + 'static>(browse: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(browse).await.unwrap()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["type"].as_str()).collect()
}

#[tokio::test]
async fn only_who_has_the_token_and_names_this_machine_comes_in() {
    let page = serve(0).await.unwrap();
    assert!(page.url().starts_with("http://127.0.0.1:"), "{}", page.url());
    let browser = Browser::of(&page);
    aside(move || {
        let Browser { address, token } = &browser;
        let status = |line: &str, headers: &str| {
            let answer = browser.send(line, headers, "");
            answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
        };
        let (home, own) = (format!("GET /?token={token}"), format!("Host: {address}\r\n"));
        assert_eq!(status(&home, &own), 200);
        assert_eq!(status("GET /", &own), 401);
        assert_eq!(status("GET /?token=", &own), 401);
        assert_eq!(status(&home[..home.len() - 1], &own), 401);
        assert_eq!(status("POST /interrupt", &own), 401);
        assert_eq!(status(&home, "Host: evil.example\r\n"), 403);
        assert_eq!(status(&home, "Host: 127.0.0.1.evil.example:80\r\n"), 403);
        assert_eq!(status(&home, ""), 400);
        let origin = |origin: &str| format!("{own}Origin: {origin}\r\n");
        let interrupt = format!("POST /interrupt?token={token}");
        assert_eq!(status(&interrupt, &origin("http://evil.example")), 403);
        assert_eq!(status(&interrupt, &origin("http://localhost:1")), 403);
        assert_eq!(status(&interrupt, &origin("null")), 403);
        // There is no run yet.
        assert_eq!(status(&interrupt, &origin(&format!("http://{address}"))), 409);
        assert_eq!(status(&format!("GET /other?token={token}"), &own), 404);
        assert!(browser.post("/answer", "{").contains(" 400 "));
        assert!(browser.post("/answer", &" ".repeat(1024 * 1024 + 1)).contains(" 413 "));
        assert!(browser.post("/answer", r#"{"answer":"allow","id":"a"}"#).contains(" 410 "));
        let page = browser.send(&home, &own, "");
        assert!(page.contains("content-security-policy: default-src 'none'"), "{page}");
        assert!(page.ends_with("</html>\n"));
    })
    .await;
}

#[tokio::test]
async fn a_run_is_watched_permitted_and_interrupted() {
    let mut page = serve(0).await.unwrap();
    let registry = ToolRegistry::builder("files").tools(tools![delete]).build().unwrap();
    let options = page.attach(AgentOptions::builder().mcp_server(registry)).build().unwrap();
    let cli = ScriptedCli::new()
        .turn(|turn| turn.say("I tidy up.").call("mcp__files__delete", json!({"file": "a"})))
        .turn(|turn| turn.call("mcp__files__delete", json!({"file": "b"})));
    let client = AgentClient::connect_with(cli, options).await.unwrap();

    page.prompt("Delete a.");
    let browser = Browser::of(&page);
    let permits = tokio::spawn(aside(move || {
        let asked = browser.events(None, "question");
        let question = asked.last().unwrap();
        assert_eq!(question["input"]["file"], "a");
        let answer = json!({"answer": "allow", "id": question["id"]}).to_string();
        assert!(browser.post("/answer", &answer).contains(" 204 "));
        assert!(browser.post("/answer", &answer).contains(" 410 "), "it is answered once");
        (asked.len(), browser.events(None, "done"), browser.events(Some(1), "done"))
    }));
    let turn = client.ask("Delete a.").await.unwrap();
    page.watch(turn, client.handle()).await.unwrap();
    let (asked, all, later) = permits.await.unwrap();
    let mut kinds = types(&all);
    kinds.dedup();
    assert_eq!(
        kinds,
        ["prompt", "turn", "text", "text_end", "call", "question", "answer", "returned", "done"]
    );
    assert!(all[asked..].iter().any(|event| event["text"] == "a is gone"), "{all:?}");
    assert_eq!(later, all[2..], "a browser that comes again goes on where it was");

    let browser = Browser::of(&page);
    let interrupts = tokio::spawn(aside(move || {
        browser.events(u64::try_from(all.len()).ok().map(|count| count - 1), "question");
        assert!(browser.post("/interrupt", "").contains(" 204 "));
        browser
    }));
    let turn = client.ask("Delete b.").await.unwrap();
    page.watch(turn, client.handle()).await.unwrap_err();
    let browser = interrupts.await.unwrap();
    let headers = format!("Host: {}\r\n", browser.address);
    let line = format!("GET /events?token={}", browser.token);
    let mut events = aside(move || {
        let mut events = browser.open(&line, &headers, "");
        let mut status = String::new();
        events.read_line(&mut status).unwrap();
        assert_eq!(status, "HTTP/1.1 200 OK\r\n");
        events
    })
    .await;
    drop(page);
    // With the page the events end.
    aside(move || events.read_to_string(&mut String::new()).unwrap()).await;
    client.close().await;
}

#[tokio::test]
async fn a_run_that_ends_without_a_result_is_seen_to_have_ended() {
    let mut page = serve(0).await.unwrap();
    let options = page.attach(AgentOptions::builder()).build().unwrap();
    let (cli, _lines) = play(|_| Vec::new());
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    let (turn, run) = (client.ask("Wait.").await.unwrap(), client.handle());
    let (result, _) = tokio::join!(page.watch(turn, run), client.close());
    assert!(matches!(result, Err(WatchError::Run(RunError::NoResult))), "{result:?}");
    let (kept, _) = page.site.hub.read(0);
    let last = kept.back().unwrap().1.upgrade().unwrap();
    assert!(last.contains(r#"{"type":"failed","error":"the run ended without a result"}"#));
}

/// A CLI may leave out the id of the call, or ask about one call twice.
#[tokio::test]
async fn an_answer_is_for_the_question_that_was_answered() {
    let mut page = serve(0).await.unwrap();
    let [first, second] = ["a", "b"].map(|file| {
        let request = json!({"tool_name": "Write", "input": {"file": file}});
        ask(&page, &request)
    });
    let browser = Browser::of(&page);
    let answers = tokio::spawn(aside(move || {
        let asked = browser.events(None, "notice");
        let asked: Vec<_> = asked.iter().filter(|event| event["type"] == "question").collect();
        let of = |file: &str| {
            asked.iter().find(|event| event["input"]["file"] == file).unwrap()["id"].clone()
        };
        let answer = |answer: &str, id: Value| {
            let answer = json!({"answer": answer, "id": id, "text": ""}).to_string();
            assert!(browser.post("/answer", &answer).contains(" 204 "));
        };
        answer("deny", of("b"));
        answer("allow", of("a"));
    }));
    for _ in 0..2 {
        take_question(&mut page).await;
    }
    page.tell(&Event::Notice { text: "both are asked".into() });
    answers.await.unwrap();
    assert!(first.await.unwrap().is_allowed());
    assert!(!second.await.unwrap().is_allowed());
}

#[tokio::test]
async fn an_answer_may_be_long() {
    let mut page = serve(0).await.unwrap();
    let asked = ask(&page, &json!({"tool_use_id": "a"}));
    let id = take_question(&mut page).await;
    let browser = Browser::of(&page);
    let text = "x".repeat(1_000_000);
    let answer = json!({"answer": "deny", "id": id, "text": text}).to_string();
    let status = aside(move || browser.post("/answer", &answer)).await;
    assert!(status.contains(" 204 "), "{status}");
    let decision = asked.await.unwrap().to_hook_decision().unwrap();
    assert!(decision.get().contains(&text));
}

#[tokio::test]
async fn a_run_that_is_no_longer_watched_does_not_look_as_if_it_were() {
    let mut page = serve(0).await.unwrap();
    let options = page.attach(AgentOptions::builder()).build().unwrap();
    let cli = ScriptedCli::new().turn(|turn| turn.say("I wait.").until_interrupted());
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    let turn = client.ask("Wait.").await.unwrap();
    let hub = page.site.hub.clone();
    let is_shown = async {
        let is_end = |(_, text): &hub::Numbered| text.upgrade().unwrap().contains("text_end");
        while !hub.read(0).0.iter().any(is_end) {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        result = page.watch(turn, client.handle()) => panic!("{result:?}"),
        () = is_shown => {}
    }
    let (kept, _) = page.site.hub.read(0);
    let last = kept.back().unwrap().1.upgrade().unwrap();
    assert!(last.contains(r#""event":{"type":"unwatched"}"#), "{last}");
    assert!(page.site.hub.run().is_none(), "it keeps the run in memory");
    client.close().await;
}

/// As on a page whose answer is sent twice.
#[tokio::test]
async fn an_answer_that_comes_twice_is_not_for_the_next_question_about_the_call() {
    let mut page = serve(0).await.unwrap();
    let first = ask(&page, &json!({"tool_use_id": "a", "input": {"sandbox": true}}));
    let id = take_question(&mut page).await;
    assert!(page.site.hub.answer(&id, Reply::Allow));
    let mut second = ask(&page, &json!({"tool_use_id": "a", "input": {"sandbox": false}}));
    let next = take_question(&mut page).await;
    assert!(!page.site.hub.answer(&id, Reply::Allow));
    assert!(first.await.unwrap().is_allowed());
    tokio::task::yield_now().await;
    assert!(!second.is_finished());
    assert!(page.site.hub.answer(&next, Reply::Deny(String::new())));
    assert!(!(&mut second).await.unwrap().is_allowed());
}

#[tokio::test]
async fn a_question_is_kept_as_long_as_it_waits() {
    let mut page = serve(0).await.unwrap();
    let asked = [
        ask(&page, &json!({"tool_use_id": "a"})),
        ask(&page, &json!({"tool_use_id": "b", "input": {"text": "x".repeat(hub::KEPT)}})),
    ];
    let ids = [take_question(&mut page).await, take_question(&mut page).await];
    page.tell(&Event::Notice { text: "x".repeat(hub::KEPT - 1024) });
    let numbers = |from| {
        let (kept, _) = page.site.hub.read(from);
        let kept = kept.iter().filter(|(_, text)| text.upgrade().is_some());
        kept.map(|(number, _)| *number).collect::<Vec<_>>()
    };
    assert_eq!(numbers(0), [0, 1, 2]);
    assert_eq!(numbers(1), [1, 2], "a browser that comes again has seen it");
    for (id, asked) in ids.into_iter().zip(asked) {
        assert!(page.site.hub.answer(&id, Reply::Allow));
        assert!(asked.await.unwrap().is_allowed());
    }
    assert_eq!(numbers(0), [2, 3, 4]);
}

/// Asks for permission as a CLI does.
fn ask(page: &Page, request: &Value) -> tokio::task::JoinHandle<Permission> {
    let request = PermissionRequest::read(request.to_string(), CancelToken::default()).unwrap();
    let desk = page.feed.desk();
    tokio::spawn(async move { desk.ask(request).await })
}

/// Shows the next question, and gives its id.
async fn take_question(page: &mut Page) -> String {
    let mut never = pin!(NoMessages);
    let Next::Question(question) = page.feed.next(never.as_mut()).await else { panic!() };
    page.site.hub.ask(*question);
    let (kept, _) = page.site.hub.read(0);
    let texts = kept.iter().rev().filter_map(|(_, text)| text.upgrade());
    let mut events = texts.map(|text| serde_json::from_str::<Value>(&text).unwrap());
    let question = events.find(|event| event["event"]["type"] == "question").unwrap();
    question["event"]["id"].as_str().unwrap().to_owned()
}

struct NoMessages;

impl Stream for NoMessages {
    type Item = Result<Message, RunError>;

    fn poll_next(
        self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        std::task::Poll::Pending
    }
}
