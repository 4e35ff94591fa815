//! A runner as its hosts see it: lines in, calls run, messages out.

mod bounds;
mod panics;
mod questions;
mod reentrant;
mod scene;
mod storm;
