//! Scenarios through the whole core, as a host uses it: lines in, calls run, lines out. Every line
//! out is checked against the official schema of its revision and against its request.

mod harness;
mod ledger;
mod schema;
mod toys;
mod askers;
mod client;

mod apps;
mod bad_lines;
mod batches;
mod branches;
mod caching;
mod call;
mod cancel;
mod completion;
mod custom;
mod discovery;
mod errors;
mod extensions;
mod filtered;
mod ids;
mod interleaving;
mod kinds;
mod lifecycle;
mod list;
mod listeners;
mod logging;
mod members;
mod progress;
mod prompts;
mod questions;
mod random_batches;
mod resources;
mod replay;
mod results;
mod revisions;
mod rounds;
mod subscriptions;
