//! A runner as hosts use it: lines in, calls run, messages out.

mod batches;
mod bounds;
mod ends;
mod layers;
mod listening;
mod neighbours;
mod panics;
mod promotion;
mod questions;
mod recorder;
mod reentrant;
mod scene;
mod server;
mod spans;
mod storm;
mod stream;
mod tasks;
