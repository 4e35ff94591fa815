//! What is published: the packages, the oldest compiler that builds them, and the template of a new
//! server.

mod metadata;
mod msrv;
mod packages;
mod template;
