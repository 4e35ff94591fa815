//! Who may come in.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};

/// A request must name this machine by a loopback name and have the token. A browser names the
/// origin of the page that sends a `POST`: it must be this page. So no other page can use this one,
/// not even by a name of its own that leads to this machine.
pub(super) fn check(uri: &Uri, headers: &HeaderMap, token: &str) -> Result<(), StatusCode> {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return Err(StatusCode::BAD_REQUEST);
    };
    let host = host.to_str().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !["127.0.0.1", "[::1]", "localhost"].contains(&name) {
        return Err(StatusCode::FORBIDDEN);
    }
    let own = format!("http://{host}");
    if headers.get_all(ORIGIN).iter().any(|origin| origin.as_bytes() != own.as_bytes()) {
        return Err(StatusCode::FORBIDDEN);
    }
    let given = uri.query().unwrap_or_default().split('&').find_map(|p| p.strip_prefix("token="));
    match given.is_some_and(|given| is_same(given.as_bytes(), token.as_bytes())) {
        true => Ok(()),
        false => Err(StatusCode::UNAUTHORIZED),
    }
}

/// Compares in a time that does not tell where the first difference is.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && differences == 0
}
