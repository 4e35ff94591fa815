//! Finds what model APIs and clients would refuse, cut or misread, although it is valid.

mod rule;
mod finding;
mod schema;
mod tools;
mod prompts;
mod resources;

use super::places::Places;
use super::registry::ToolRegistry;
use finding::Findings;

pub use finding::{Finding, Owner};
pub use rule::Rule;

impl ToolRegistry {
    /// What model APIs and clients would refuse, cut or misread. `build` reports what no strict
    /// client takes; the findings here are valid by the protocol, and some may be intended. Empty
    /// if all is well.
    ///
    /// ```
    /// use toolwright::mcp::{Owner, Rule};
    /// use toolwright::{ToolRegistry, tool, tools};
    ///
    /// /// Look up a word.
    /// #[tool(read_only)]
    /// async fn define(word: String) -> String {
    ///     format!("{word}: not found")
    /// }
    ///
    /// let registry = ToolRegistry::builder("words").tools(tools![define]).build()?;
    /// let findings = registry.lint();
    /// assert_eq!(findings[0].owner, Owner::Tool("define".into()));
    /// assert_eq!(findings[0].pointer, "/inputSchema/properties/word");
    /// assert_eq!(findings[0].rule, Rule::ParameterDescription);
    /// # assert_eq!(findings.len(), 1);
    /// # Ok::<(), toolwright::BuildError>(())
    /// ```
    pub fn lint(&self) -> Vec<Finding> {
        let mut findings = Findings::default();
        tools::server_name(self.name(), &mut findings);
        tools::instructions(self.server().instructions.as_deref(), &mut findings);
        let tools = self.tools();
        let mut before = Places::default();
        for (at, tool) in tools.iter().enumerate() {
            findings.owner = Owner::Tool(tool.name().to_owned());
            tools::names(self.name(), tool, &mut findings);
            tools::similar(&tools, at, &mut before, &mut findings);
            tools::words(tool, &mut findings);
            tools::hints(tool, &mut findings);
            schema::input(tool.input_schema(), &mut findings);
            if let Some(output) = tool.output_schema() {
                schema::output(output, &mut findings);
            }
        }
        for prompt in &self.prompts() {
            findings.owner = Owner::Prompt(prompt.name().to_owned());
            prompts::prompt(prompt, &mut findings);
        }
        let (resources, mut templates) = (self.resources(), Vec::new());
        for resource in &resources {
            findings.owner = Owner::Resource(resource.uri().to_owned());
            resources::resource(resource, &templates, &mut findings);
            templates.extend(Some(resource).filter(|resource| resource.is_template()));
        }
        findings.all
    }
}

#[cfg(test)]
mod tests;
