//! Prompts, resources and completion.

use std::io;

use serde::Serialize;
use serde_json::{Value, json};

use super::calls::named;
use super::test_client::TestClient;

impl TestClient {
    /// Gets a prompt. The values of its arguments are texts. Returns the result as it is on the
    /// wire.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, json, prompt, prompts};
    ///
    /// /// Greet somebody.
    /// #[prompt]
    /// async fn greet(name: &str) -> String {
    ///     format!("Say hello to {name}.")
    /// }
    ///
    /// let registry = ToolRegistry::builder("words").prompts(prompts![greet]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// let greeting = client.get_prompt("greet", json!({"name": "Ada"}))?;
    /// assert_eq!(greeting["messages"][0]["content"]["text"], "Say hello to Ada.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The server refuses the request, as there is no such prompt or an argument is wrong, asks
    /// what the client does not answer, or has closed its output; the timeout expired; or the
    /// arguments cannot be written as JSON.
    pub fn get_prompt(&mut self, name: &str, arguments: impl Serialize) -> io::Result<Value> {
        self.result("prompts/get", named(name, serde_json::to_value(arguments)?))
    }

    /// Reads a resource. Returns its contents as they are on the wire.
    ///
    /// ```
    /// use toolwright::testing::TestClient;
    /// use toolwright::{ToolRegistry, resource, resources};
    ///
    /// #[resource("notes://{id}")]
    /// async fn note(id: u64) -> Option<String> {
    ///     (id == 7).then(|| "Buy milk.".to_owned())
    /// }
    ///
    /// let registry = ToolRegistry::builder("notes").resources(resources![note]).build()?;
    /// let mut client = TestClient::in_memory(&registry)?;
    /// assert_eq!(client.read_resource("notes://7")?[0]["text"], "Buy milk.");
    /// assert!(client.read_resource("notes://8").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The server refuses the request, as there is no such resource or it cannot be read, asks what
    /// the client does not answer, or has closed its output; the timeout expired; or the answer has
    /// another form.
    pub fn read_resource(&mut self, uri: &str) -> io::Result<Vec<Value>> {
        let mut result = self.result("resources/read", json!({"uri": uri}))?;
        match result["contents"].take() {
            Value::Array(contents) => Ok(contents),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the result has no contents")),
        }
    }

    /// The proposals for an argument of a prompt, of which a part is typed.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn complete_prompt(
        &mut self,
        name: &str,
        argument: &str,
        typed: &str,
    ) -> io::Result<Vec<String>> {
        self.complete(json!({"type": "ref/prompt", "name": name}), argument, typed)
    }

    /// The proposals for a variable of a template of resources, of which a part is typed.
    ///
    /// # Errors
    ///
    /// The server refuses the request or has closed its output, the timeout expired, or the answer
    /// has another form.
    pub fn complete_resource(
        &mut self,
        template: &str,
        variable: &str,
        typed: &str,
    ) -> io::Result<Vec<String>> {
        self.complete(json!({"type": "ref/resource", "uri": template}), variable, typed)
    }

    fn complete(&mut self, of: Value, argument: &str, typed: &str) -> io::Result<Vec<String>> {
        let argument = json!({"name": argument, "value": typed});
        let mut result =
            self.result("completion/complete", json!({"ref": of, "argument": argument}))?;
        Ok(serde_json::from_value(result["completion"]["values"].take())?)
    }
}
