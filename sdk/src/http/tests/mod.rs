//! Requests as raw texts, against the service and against a server on loopback.

mod rows;
mod auth;
mod exchanges;
mod connections;
mod scene;
