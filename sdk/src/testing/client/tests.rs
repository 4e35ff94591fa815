//! The client of a registry in memory. `tests/it/stdio` has the one of a program.

mod asked;
mod calls;
mod errors;
mod filtered;
mod golden;
mod received;
mod results;
mod storm;
mod tasks;
