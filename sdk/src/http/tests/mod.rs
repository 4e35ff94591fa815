//! Requests as raw texts, against the service and against a server on loopback.

mod rows;
mod refused;
mod threats;
mod auth;
mod filtered;
#[cfg(feature = "jwt")]
mod jwt;
mod exchanges;
mod threads;
mod notifications;
mod listeners;
mod bus;
#[cfg(feature = "redis")]
mod tasks;
mod connections;
mod stops;
mod sessions;
#[cfg(feature = "sealed-state")]
mod rounds;
mod scene;
mod judge;
