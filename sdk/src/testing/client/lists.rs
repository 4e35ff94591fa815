//! Lists of the server, from all their pages.

use std::io::{self, ErrorKind};

use serde_json::{Value, json};

use super::test_client::TestClient;

impl TestClient {
    /// Lists the tools, from all pages of the list.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn list_tools(&mut self) -> io::Result<Vec<Value>> {
        self.list("tools/list", "tools")
    }

    /// Lists the prompts, from all pages of the list.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn list_prompts(&mut self) -> io::Result<Vec<Value>> {
        self.list("prompts/list", "prompts")
    }

    /// Lists the resources that are no templates, from all pages of the list.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn list_resources(&mut self) -> io::Result<Vec<Value>> {
        self.list("resources/list", "resources")
    }

    /// Lists the templates of resources, from all pages of the list.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn list_resource_templates(&mut self) -> io::Result<Vec<Value>> {
        self.list("resources/templates/list", "resourceTemplates")
    }

    /// The entries of all pages of a list.
    fn list(&mut self, method: &str, member: &str) -> io::Result<Vec<Value>> {
        let (mut entries, mut params) = (Vec::new(), json!({}));
        loop {
            let mut page = self.result(method, params)?;
            match page[member].take() {
                Value::Array(page) => entries.extend(page),
                _ => {
                    let what = format!("the result has no {member}");
                    return Err(io::Error::new(ErrorKind::InvalidData, what));
                }
            }
            match page["nextCursor"].take() {
                Value::Null => return Ok(entries),
                cursor => params = json!({"cursor": cursor}),
            }
        }
    }
}
