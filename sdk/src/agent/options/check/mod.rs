//! Checks of the options: values that the CLI would refuse or silently misread.

mod complaints;
mod matcher;
mod model;
mod process;
mod prompt;
mod rule;
mod server;
mod session;
mod settings;
mod size;
mod text;
mod tools;

use self::complaints::Complaints;
use super::{AgentOptions, McpServer};

#[cfg(feature = "testing")]
pub(crate) use rule::split as split_rules;

/// All complaints, topic by topic. Each begins with the name of the setter in question.
pub(super) fn complaints(options: &AgentOptions) -> Vec<String> {
    let mut complaints = Complaints::default();
    text::check(options, &mut complaints);
    prompt::check(&options.prompt, &mut complaints);
    model::check(&options.model, &mut complaints);
    tools::check(&options.tools, &mut complaints);
    server::check(&options.tools.servers, &mut complaints);
    session::check(&options.session, &mut complaints);
    #[cfg(feature = "sessions")]
    session::check_store(options, &mut complaints);
    settings::check(options, &mut complaints);
    process::check(options, &mut complaints);
    size::check(options, &mut complaints);
    complaints.list
}

/// All complaints about servers.
pub(crate) fn server_complaints(servers: &[McpServer]) -> Vec<String> {
    let mut complaints = Complaints::default();
    server::check(servers, &mut complaints);
    complaints.list
}
