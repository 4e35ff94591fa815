//! A client for servers: for a program, and for a registry in this process.

mod failure;
mod peer;
mod process;
mod memory;
mod answers;
mod test_client;
mod result;
mod rounds;
mod lists;
mod subscriptions;
mod test_task;
mod calls;
mod asked;
mod reading;
mod received;
mod golden;

pub use test_client::{Direction, TestClient};
pub use test_task::{TaskStatus, TestTask};

#[cfg(test)]
mod tests;
