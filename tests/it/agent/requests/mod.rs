//! Each control request, as the real CLI answers it.

mod files;
mod servers;
mod session;
mod settings;
mod tasks;
mod usage;

use toolwright::agent::{AgentClient, AgentOptionsBuilder};

use super::heard::Heard;
use super::scene::{Scene, say, turn, within};

async fn connect(options: AgentOptionsBuilder) -> AgentClient {
    within(AgentClient::connect(options.build().unwrap())).await.unwrap()
}
