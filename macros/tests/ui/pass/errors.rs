//! Every error that can be displayed, and aliases of `Result`.

use std::error::Error;
use std::fmt;

use toolwright::{Json, ToolRegistry, tool, tools};

#[derive(Debug)]
pub enum Failure {
    Read(std::io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot read")
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let Self::Read(cause) = self;
        Some(cause)
    }
}

/// An error that can only be displayed.
pub struct Plain;

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain")
    }
}

type Fallible<T> = Result<T, Failure>;

#[tool]
fn read(path: &str) -> Fallible<String> {
    std::fs::read_to_string(path).map_err(Failure::Read)
}

#[tool]
fn size(path: &str) -> std::io::Result<Json<u64>> {
    Ok(Json(std::fs::metadata(path)?.len()))
}

#[tool]
async fn parse(text: &str) -> Result<i64, Box<dyn Error + Send + Sync>> {
    Ok(text.parse()?)
}

#[tool]
async fn refuse() -> Result<(), String> {
    Err("No.".to_owned())
}

#[tool]
async fn plain() -> Result<(), Plain> {
    Err(Plain)
}

pub fn main() {
    let tools = tools![read, size, parse, refuse, plain];
    ToolRegistry::builder("files").tools(tools).build().unwrap();
}
