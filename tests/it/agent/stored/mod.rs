//! Sessions that the CLI has stored, and those that go on elsewhere.

mod made;

mod elsewhere;
mod killed;
mod outage;
mod python;
mod typescript;
