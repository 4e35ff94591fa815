//! On cc-sdk: a prompt, and a tool in this process.

use std::collections::HashMap;
use std::error::Error;

use cc_sdk::{
    ClaudeCodeOptions, ClaudeSDKClient, ContentBlock, Message, SdkMcpServerBuilder,
    ToolInputSchema, create_simple_tool,
};
use futures::StreamExt;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let number = json!({"type": "number"});
    let schema = ToolInputSchema {
        schema_type: "object".to_owned(),
        properties: HashMap::from([("a".to_owned(), number.clone()), ("b".to_owned(), number)]),
        required: Some(vec!["a".to_owned(), "b".to_owned()]),
    };
    let add = create_simple_tool("add", "Add two numbers.", schema, |args: Value| async move {
        let number = |name: &str| args[name].as_f64().unwrap_or_default();
        Ok((number("a") + number("b")).to_string())
    });
    let server = SdkMcpServerBuilder::new("calc").tool(add).build();
    let options = ClaudeCodeOptions::builder()
        .add_mcp_server("calc", server.to_config())
        .allow_tool("mcp__calc__add")
        .build();
    let mut client = ClaudeSDKClient::new(options);
    client.connect(Some("What is 2 + 40?".to_owned())).await?;
    {
        let mut messages = client.receive_response().await;
        while let Some(message) = messages.next().await {
            let Message::Assistant { message, .. } = message? else { continue };
            for block in message.content {
                if let ContentBlock::Text(text) = block {
                    println!("{}", text.text);
                }
            }
        }
    }
    client.disconnect().await?;
    Ok(())
}
