//! Tests of the options, a file a theme.

mod argv;
mod chains;
mod complaints;
mod everything;
mod files;
mod harness;
mod hooks;
mod initialize;
mod redacted;
mod roots;
mod rules;
mod servers;
mod size;
mod surroundings;
mod typed;
mod warnings;
