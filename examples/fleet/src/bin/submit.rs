//! Puts prompts on the queue: `submit NATS_URL SESSION PROMPT...` puts the turns of one session
//! there, in order. `SESSION` is a UUID.

use anyhow::{Result, bail};
use toolwright_fleet::{Job, Queue};
use uuid::Uuid;

#[tokio::main]
async fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [nats, session, prompts @ ..] = &*args else {
        bail!("usage: submit NATS_URL SESSION PROMPT...")
    };
    let queue = Queue::connect(nats).await?;
    for (turn, prompt) in (1..).zip(prompts) {
        let prompt_id = Uuid::new_v4().to_string();
        let (session, prompt) = (session.clone(), prompt.clone());
        queue.submit(&Job { session, turn, prompt_id, prompt }).await?;
    }
    Ok(())
}
