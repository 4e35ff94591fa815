//! Types of the standard library that have a schema.

use std::borrow::Cow;
use std::net::IpAddr;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::rc::Rc;

use toolwright::{ToolRegistry, Value, tool, tools};

#[tool]
async fn connect(
    address: IpAddr,
    port: NonZeroU16,
    key: PathBuf,
    note: Cow<'static, str>,
    boxed: Box<str>,
    options: Value,
) -> String {
    format!("{address}:{port} {} {note} {boxed} {options}", key.display())
}

/// What is not `Send` may be made while the function runs.
#[tool]
async fn local(size: usize) -> usize {
    let shared = Rc::new(size);
    *shared
}

pub fn main() {
    ToolRegistry::builder("net").tools(tools![connect, local]).build().unwrap();
}
