//! A server of its own.

use std::convert::Infallible;
use std::future::{Future, pending, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::header::CONNECTION;
use http::{HeaderValue, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::body::Body;
use super::connection::{Activity, Answering, Connection};
use super::options::Options;
use super::refusal::Refusal;
use super::service::Service;
use super::watchdog::Watchdog;
use crate::ToolRegistry;

/// How long connections still take a request once the server stops: one may be on its way.
const DRAIN: Duration = Duration::from_millis(250);
/// How long connections may take to close once every request is answered.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// The most bytes of the head of a request.
const LONGEST_HEAD: usize = 64 * 1024;
/// How long to wait when no connection can be accepted: there may be no descriptor for it.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves a registry at [`Options::path`] until the listener fails. How many connections wait
/// until they are accepted is the listener's: for many clients that come at once make it by
/// [`TcpSocket::listen`](tokio::net::TcpSocket::listen), as `TcpListener::bind` has a short
/// backlog.
///
/// # Errors
///
/// The listener has failed.
pub async fn serve(
    listener: TcpListener,
    registry: ToolRegistry,
    options: Options,
) -> io::Result<()> {
    serve_until(listener, registry, options, pending()).await
}

/// Like [`serve`], until `stop` is ready. Then no more connections are accepted. Open ones take
/// requests for another 250 ms, and each answer says that its connection closes (`Connection:
/// close`). Then idle ones close, subscriptions end, running calls have [`Options::grace`] to end,
/// and every request is answered before its connection closes: in all at most 2.25 seconds more
/// than the grace. As no client can connect meanwhile, nobody can answer the questions of sessions:
/// they fail. Nor can anybody resume their streams.
///
/// # Errors
///
/// The listener has failed.
pub async fn serve_until(
    listener: TcpListener,
    registry: ToolRegistry,
    options: Options,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let server = Server::new(registry, options);
    let _watchdog = Watchdog::start();
    let ended = server.accept(listener, stop).await;
    server.close().await;
    ended
}

struct Server {
    service: Service,
    connections: Arc<Semaphore>,
    /// True once each answer is the last of its connection; its receivers are the connections.
    closing: watch::Sender<bool>,
}

impl Server {
    fn new(registry: ToolRegistry, mut options: Options) -> Self {
        if !options.path.starts_with('/') {
            options.path.insert(0, '/');
        }
        Self {
            connections: Arc::new(Semaphore::new(
                options.max_connections.clamp(1, Semaphore::MAX_PERMITS),
            )),
            service: Service::with(registry, options),
            closing: watch::Sender::new(false),
        }
    }

    /// Accepts connections, as many as there may be.
    async fn accept(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let accept = async {
            loop {
                let Ok(place) = self.connections.clone().acquire_owned().await else {
                    return Ok(());
                };
                let (stream, peer) = match listener.accept().await {
                    Ok(accepted) => accepted,
                    // The client has gone already.
                    Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
                    Err(error) if is_lasting(&error) => return Err(error),
                    Err(error) => {
                        tracing::warn!(%error, "no connection can be accepted now");
                        sleep(PAUSE).await;
                        continue;
                    }
                };
                let connection = self.serve(stream, peer);
                tokio::spawn(async move {
                    connection.await;
                    drop(place);
                });
            }
        };
        let (mut accept, mut stop) = (pin!(accept), pin!(stop));
        poll_fn(|cx| match stop.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Ok(())),
            Poll::Pending => accept.as_mut().poll(cx),
        })
        .await
    }

    /// Serves one connection to its end.
    fn serve(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> impl Future<Output = ()> + Send + 'static {
        // Without this the end of an answer waits for the client's acknowledgement of its start.
        let _ = stream.set_nodelay(true);
        let activity = Arc::new(Activity::default());
        let service = self.service.clone();
        let Options { head_timeout, idle_timeout, .. } = *service.options();
        let stream = Connection::new(stream, activity.clone(), head_timeout, idle_timeout);
        let requests = activity.clone();
        let answer =
            service_fn(move |request| answer(service.clone(), requests.clone().answer(), request));
        // `Connection` has the time-outs: hyper's makes no difference between half a head and an
        // idle connection.
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(None)
            .max_buf_size(LONGEST_HEAD)
            .serve_connection(TokioIo::new(stream), answer);
        let mut closing = self.closing.subscribe();
        async move {
            let mut connection = pin!(connection);
            let ended = {
                let mut closes = pin!(closing.wait_for(|closing| *closing));
                poll_fn(|cx| match connection.as_mut().poll(cx) {
                    Poll::Ready(ended) => Poll::Ready(Some(ended)),
                    Poll::Pending => closes.as_mut().poll(cx).map(|_| None),
                })
                .await
            };
            let ended = match ended {
                Some(ended) => ended,
                None => {
                    activity.set_last();
                    match timeout(DRAIN, connection.as_mut()).await {
                        Ok(ended) => ended,
                        Err(_) => {
                            connection.as_mut().graceful_shutdown();
                            connection.await
                        }
                    }
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%peer, %error, "a connection ended");
            }
            drop(closing);
        }
    }

    async fn close(self) {
        // A balancer sends requests on idle connections until it is told not to.
        self.closing.send_replace(true);
        let _ = timeout(DRAIN, self.closing.closed()).await;
        self.service.close_unheard(self.service.options().grace).await;
        let _ = timeout(LAST_WORDS, self.closing.closed()).await;
    }
}

async fn answer(
    service: Service,
    answering: Answering,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let mut response = respond(&service, answering.activity(), request).await;
    if answering.activity().is_last() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| body.during(answering)))
}

async fn respond(
    service: &Service,
    activity: &Activity,
    request: Request<Incoming>,
) -> Response<Body> {
    let (options, path) = (service.options(), request.uri().path());
    let is_metadata = options.auth.as_ref().is_some_and(|auth| auth.is_metadata(path));
    if without_slash(path) != without_slash(&options.path) && !is_metadata {
        let message = format!("there is nothing here; the server is at {}", options.path);
        activity.end(true);
        return Refusal::plain(StatusCode::NOT_FOUND, message).into_response();
    }
    let response = service.respond(request).await;
    let status = response.status();
    let is_refused = status.is_client_error() || status == StatusCode::SERVICE_UNAVAILABLE;
    activity.end(is_refused);
    response
}

/// People write addresses with a slash at the end, and other servers take them.
fn without_slash(path: &str) -> &str {
    path.strip_suffix('/').unwrap_or(path)
}

/// The listener has failed, or its runtime. Every other error is of one connection, whose network
/// errors `accept` passes on, or of a system that has no more descriptors or memory: a later
/// attempt may succeed.
fn is_lasting(error: &io::Error) -> bool {
    // EBADF, EFAULT, EINVAL, and ENOTSOCK of Linux and of macOS. Windows adds 10,000.
    error.raw_os_error().is_none_or(|code| matches!(code % 10_000, 9 | 14 | 22 | 88 | 38))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::is_lasting;

    #[test]
    fn only_an_error_of_the_listener_ends_the_server() {
        // EPERM, ENOMEM, ENFILE, EMFILE, EPROTO, ENOPROTOOPT, EOPNOTSUPP, ENETDOWN, ENETUNREACH,
        // ENONET, ENOBUFS, ETIMEDOUT, EHOSTDOWN and EHOSTUNREACH of Linux.
        for code in [1, 12, 23, 24, 71, 92, 95, 100, 101, 64, 105, 110, 112, 113] {
            assert!(!is_lasting(&io::Error::from_raw_os_error(code)), "{code}");
        }
        for code in [9, 14, 22, 88] {
            assert!(is_lasting(&io::Error::from_raw_os_error(code)), "{code}");
        }
        assert!(is_lasting(&io::Error::other("the runtime is shutting down")));
    }
}
