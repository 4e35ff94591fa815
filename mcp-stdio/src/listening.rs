//! The server on HTTP.

use std::io::{self, Write};
use std::net::{SocketAddr, SocketAddrV6};
#[cfg(feature = "redis")]
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, lookup_host};
use tokio::runtime::Runtime;
use toolwright::{ToolRegistry, http};
use toolwright_console::Limit;
#[cfg(feature = "redis")]
use toolwright_console::chain;

use crate::runtimes;

/// Said where other machines can connect, and no name by which they do is allowed.
const BY_NAME: &str = "other machines can connect, and the check of the name in a request stops \
     web pages only; `--allowed-host NAME` allows another name than localhost";

/// So many connections wait until they are accepted, or fewer where the system allows no more.
const BACKLOG: u32 = 4_096;

/// This variable has the URL of the bus if neither the command line, which all users of the machine
/// can see, nor the program has one.
#[cfg(feature = "redis")]
const BUS: &str = "TOOLWRIGHT_BUS";

/// Serves at `address` until the process is told to end. Replicas with the same `bus` hear of each
/// other's changes, and know each other's tasks.
#[cfg_attr(
    not(feature = "redis"),
    expect(unused_variables, reason = "without the feature there is no bus")
)]
pub(crate) fn listen(
    address: &str,
    bus: Option<&str>,
    mut options: http::Options,
    runtime: Runtime,
    registry: ToolRegistry,
) -> Result<(), String> {
    // `serve_until` needs less than that after the grace, unless tools block all threads.
    let limit = Limit::new(options.grace.saturating_add(Duration::from_secs(3)));
    // Its values are dropped when the limit does not count any more.
    let held = registry.clone();
    let served = runtime.block_on(async {
        let told = runtimes::signals(limit.clone())?;
        let signals = async { _ = told.await };
        #[cfg(feature = "redis")]
        let in_variable = || {
            let is_open = options.bus.is_none() && options.tasks.is_none();
            std::env::var(BUS).ok().filter(|url| is_open && !url.is_empty())
        };
        #[cfg(feature = "redis")]
        if let Some(url) = bus.map(str::to_owned).or_else(in_variable) {
            // Replicas of one server have one name.
            let channel = format!("toolwright:{}", registry.name());
            let bus = http::RedisBus::open(&url, &channel).map_err(|error| chain(&error))?;
            options.bus = Some(Arc::new(bus));
            let tasks = http::RedisTasks::open(&url, &channel).map_err(|error| chain(&error))?;
            options.tasks = Some(tasks);
        }
        let listener = bind(address)
            .await
            .map_err(|error| format!("{address} cannot be listened at: {error}"))?;
        let local = listener.local_addr().map_err(|error| error.to_string())?;
        let path = options.path.strip_prefix('/').unwrap_or(&options.path);
        let _ = writeln!(io::stderr(), "listening on http://{local}/{path}");
        if local.ip().is_unspecified() && options.allowed_hosts.is_empty() {
            let _ = writeln!(io::stderr(), "{BY_NAME}");
        }
        // Who gives an address wants it to be used, and so the one that was announced.
        options.allowed_hosts.extend([address, &local.to_string()].map(without_scope));
        let served = http::serve_until(listener, registry, options, signals).await;
        served.map_err(|error| format!("the listener failed: {error}"))
    });
    limit.lift();
    runtime.shutdown_background();
    drop(held);
    served
}

/// Clients leave the scope of a link-local address out of `Host`, as it has a local meaning only
/// (RFC 6874, section 4).
fn without_scope(address: &str) -> String {
    match address.parse::<SocketAddrV6>() {
        Ok(mut address) => {
            address.set_scope_id(0);
            address.to_string()
        }
        Err(_) => address.to_owned(),
    }
}

/// Like [`TcpListener::bind`], whose backlog is too short for many clients that come at once.
async fn bind(address: &str) -> io::Result<TcpListener> {
    let mut failed = io::Error::new(io::ErrorKind::InvalidInput, "it has no address");
    for address in lookup_host(address).await? {
        match bind_at(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

fn bind_at(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Else a server that starts again waits for the end of old connections. Windows needs it not.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

#[cfg(test)]
mod tests {
    use super::without_scope;

    #[test]
    fn a_link_local_address_is_allowed_without_its_scope() {
        assert_eq!(without_scope("[fe80::1%2]:8080"), "[fe80::1]:8080");
        assert_eq!(without_scope("[::1]:80"), "[::1]:80");
        assert_eq!(without_scope("calc.example.com:80"), "calc.example.com:80");
    }
}
