//! The prompts of a registry.

use std::borrow::Cow;
use std::sync::Arc;

use super::check::{BuildError, Check};
use super::list::{Entry, Named};
use super::tool_registry::ToolRegistry;
use crate::mcp::call::{Decoder, Subject};
use crate::mcp::prompt::Prompt;
use crate::mcp::protocol::{ListKind, Profile, Topic, write_json};

impl ToolRegistry {
    /// Adds a prompt while sessions run, and notifies the clients that listen for changes. If it is
    /// the first one with arguments that can be completed, only clients that connect later are told
    /// of that.
    ///
    /// # Errors
    ///
    /// The name is taken, `build` would refuse the prompt, or the registry was built without
    /// prompts, which its clients know: give its builder `.prompts([])`.
    #[inline]
    pub fn add_prompt(&self, prompt: Prompt) -> Result<(), BuildError> {
        let server = self.server();
        let values = server.values();
        let mut check = Check::new(Vec::new(), &values);
        if !server.offers.prompts {
            check.complain(
                "the registry was built without prompts: call `.prompts([])` on its builder",
            );
        }
        let completes = prompt.completes();
        self.prompt_list().change(|prompts| {
            let known = prompts.len();
            prompts.push(prompt);
            check.prompts(prompts, known);
            check.finish()
        })?;
        server.add_offers(completes, false);
        self.changed(&Topic::List(ListKind::Prompts));
        Ok(())
    }

    /// Removes a prompt while sessions run, and notifies the clients that listen for changes.
    /// Returns whether it existed.
    #[inline]
    pub fn remove_prompt(&self, name: &str) -> bool {
        let is_removed = self.prompt_list().remove(|prompt| prompt.name() == name);
        if is_removed {
            self.changed(&Topic::List(ListKind::Prompts));
        }
        is_removed
    }

    /// The prompts, in the order in which they were added.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.prompt_list().now().entries().to_vec()
    }
}

impl Entry for Prompt {
    const KIND: ListKind = ListKind::Prompts;

    fn key(&self) -> Cow<'_, str> {
        self.name().into()
    }

    fn write(&self, profile: &Profile, out: &mut Vec<u8>) {
        write_json(out, &self.definition().info(profile));
    }
}

impl Named for Prompt {
    fn subject(&self) -> Arc<dyn Subject> {
        self.subject()
    }

    fn decoder(&self) -> Arc<dyn Decoder> {
        self.decoder()
    }
}
