//! The HTTP server of a page.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::serve::Listener;
use futures_core::Stream;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use super::door;
use super::hub::{Hub, Numbered};
use crate::agent::view::reply::Reply;

/// The page: one file, without anything from elsewhere.
const PAGE: &str = include_str!("page.html");
/// The most bytes of what a browser sends.
const LONGEST: usize = 1024 * 1024;
/// How many connections there may be: whoever is on this machine can connect without the token.
const CONNECTIONS: usize = 64;
/// How long the head of a request may take, and the pause before it.
const HEAD: Duration = Duration::from_secs(10);
/// The most bytes of a head.
const LONGEST_HEAD: usize = 64 * 1024;
/// The page uses only itself, no page may frame it, and the token goes to nobody.
const POLICY: &str = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; \
                      style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; \
                      base-uri 'none'; form-action 'none'";

/// What the server needs.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) hub: Arc<Hub>,
    pub(super) token: Arc<str>,
}

/// The answer to a question: the id of its call, and what is said to it.
#[derive(Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
enum Answer {
    Allow { id: String },
    Always { id: String },
    Deny { id: String, text: String },
    Questions { id: String, answers: HashMap<String, String> },
}

/// Serves until the other end of `stopped` is dropped; open connections end then too.
pub(super) async fn serve(listener: TcpListener, site: Site, mut stopped: oneshot::Receiver<()>) {
    let mut serving = pin!(accept(listener, Router::new().fallback(respond).with_state(site)));
    poll_fn(|cx| match Pin::new(&mut stopped).poll(cx) {
        Poll::Ready(_) => Poll::Ready(()),
        Poll::Pending => serving.as_mut().poll(cx),
    })
    .await;
}

/// Accepts connections, as many as there may be; they end when this is dropped.
async fn accept(mut listener: TcpListener, routes: Router) {
    let mut connections = JoinSet::new();
    loop {
        while connections.len() >= CONNECTIONS {
            connections.join_next().await;
        }
        // It waits itself where none can be accepted now.
        let (stream, _) = Listener::accept(&mut listener).await;
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(LONGEST_HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes.clone()));
        connections.spawn(async move { drop(connection.await) });
    }
}

async fn respond(State(site): State<Site>, request: Request) -> Response {
    if let Err(status) = door::check(request.uri(), request.headers(), &site.token) {
        // The connection leaves its place to others.
        let close = [(header::CONNECTION, "close")];
        let text = "Nobody comes in but with the address that the program has given.\n";
        return (status, close, text).into_response();
    }
    let (head, body) = request.into_parts();
    match (&head.method, head.uri.path()) {
        (&Method::GET, "/") => page(),
        (&Method::GET, "/events") => events(&site.hub, &head.headers),
        (&Method::POST, "/interrupt") => interrupt(&site.hub).await.into_response(),
        (&Method::POST, "/answer") => {
            let Ok(body) = to_bytes(body, LONGEST).await else {
                return StatusCode::PAYLOAD_TOO_LARGE.into_response();
            };
            answer(&site.hub, &body).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, PAGE).into_response()
}

fn events(hub: &Hub, headers: &HeaderMap) -> Response {
    let last = headers.get("last-event-id").and_then(|last| last.to_str().ok()?.parse().ok());
    let (kept, coming) = hub.read(last.map_or(0, |last: u64| last.saturating_add(1)));
    Sse::new(Events { kept, coming }).keep_alive(KeepAlive::default()).into_response()
}

async fn interrupt(hub: &Hub) -> StatusCode {
    match hub.run() {
        None => StatusCode::CONFLICT,
        Some(run) => match run.interrupt().await {
            Ok(_) => StatusCode::NO_CONTENT,
            Err(_) => StatusCode::CONFLICT,
        },
    }
}

fn answer(hub: &Hub, body: &[u8]) -> StatusCode {
    let Ok(answer) = serde_json::from_slice(body) else {
        return StatusCode::BAD_REQUEST;
    };
    let (id, reply) = match answer {
        Answer::Allow { id } => (id, Reply::Allow),
        Answer::Always { id } => (id, Reply::Always),
        Answer::Deny { id, text } => (id, Reply::Deny(text)),
        Answer::Questions { id, answers } => {
            let answers = answers.into_iter().map(|(question, answer)| (question, answer.into()));
            (id, Reply::Answers(answers.collect()))
        }
    };
    match hub.answer(&id, reply) {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::GONE,
    }
}

/// The events for one browser.
struct Events {
    kept: VecDeque<Numbered>,
    coming: mpsc::Receiver<Numbered>,
}

impl Stream for Events {
    type Item = Result<SseEvent, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = match self.kept.pop_front() {
            Some(kept) => Poll::Ready(Some(kept)),
            None => self.coming.poll_recv(cx),
        };
        // Where an event is no longer kept, the browser has to begin anew.
        next.map(|next| {
            let (number, text) = next.and_then(|(number, text)| Some((number, text.upgrade()?)))?;
            Some(Ok(SseEvent::default().id(number.to_string()).data(&*text)))
        })
    }
}
