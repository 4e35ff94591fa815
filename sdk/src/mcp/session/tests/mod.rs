//! Scenarios through the whole core, in the manner of a host: lines in, calls run, lines out. Every
//! line that comes out is judged by the official schema of its era and by what it answers.

mod harness;
mod ledger;
mod schema;
mod toys;

mod bad_lines;
mod call;
mod cancel;
mod discovery;
mod extensions;
mod ids;
mod interleaving;
mod kinds;
mod lifecycle;
mod list;
mod logging;
mod progress;
mod questions;
mod results;
mod subscriptions;
