//! On claude-codes, which has no tools in the process of the agent: a prompt.

use std::error::Error;

use claude_codes::io::ContentBlock;
use claude_codes::{AsyncClient, ClaudeOutput};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut client = AsyncClient::with_defaults().await?;
    let mut outputs = client.query_stream("What is 2 + 40?").await?;
    while let Some(output) = outputs.next().await {
        let ClaudeOutput::Assistant(message) = output? else { continue };
        for block in &message.message.content {
            if let ContentBlock::Text(text) = block {
                println!("{}", text.text);
            }
        }
    }
    Ok(())
}
