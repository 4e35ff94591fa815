//! Puts prompts on the queue: `submit NATS_URL SESSION PROMPT...` puts the turns of one session
//! there, in order. `SESSION` is a UUID; `SESSION:4` begins with the fourth turn.

use anyhow::{Context as _, Result, bail, ensure};
use toolwright_fleet::{Job, Queue};
use uuid::Uuid;

const USAGE: &str = "usage: submit NATS_URL SESSION[:TURN] PROMPT...";

#[tokio::main]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [nats, session, prompts @ ..] = &*args else { bail!(USAGE) };
    ensure!(!prompts.is_empty(), USAGE);
    let queue = Queue::connect(nats).await?;
    let (session, first) = session.split_once(':').unwrap_or((session, "1"));
    let first = first.parse().with_context(|| format!("{first} is no turn"))?;
    for (turn, prompt) in (first..).zip(prompts) {
        let prompt_id = Uuid::new_v4().to_string();
        let (session, prompt) = (session.to_owned(), prompt.clone());
        queue.submit(&Job { session, turn, prompt_id, prompt }).await?;
    }
    Ok(())
}
