//! A runner as its hosts see it: lines in, calls run, messages out.

mod bounds;
mod reentrant;
mod scene;
