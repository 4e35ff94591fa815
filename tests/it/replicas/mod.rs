//! Several processes of one server: behind a balancer without affinity, and with a bus and tasks.

mod balanced;
mod bus;
mod client;
mod cut;
mod example;
pub(crate) mod port;
mod proxy;
mod redis;
mod replica;
mod tasks;

use std::time::Duration;

use client::{Client, Era, Listener};
use cut::Cut;
use proxy::Proxy;
pub(crate) use redis::Redis;
use replica::Replica;

/// Longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);
