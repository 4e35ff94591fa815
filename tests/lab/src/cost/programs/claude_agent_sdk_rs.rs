//! On claude-agent-sdk-rs, as its page has it: a prompt, and a tool in this process.

use std::collections::HashMap;

use claude_agent_sdk_rs::{
    ClaudeAgentOptions, ClaudeClient, ContentBlock, McpServerConfig, McpServers,
    McpToolResultContent, Message, ToolResult, create_sdk_mcp_server, tool,
};
use futures::StreamExt;
use serde_json::{Value, json};

async fn add(args: Value) -> anyhow::Result<ToolResult> {
    let number = |name: &str| args[name].as_f64().unwrap_or_default();
    let text = (number("a") + number("b")).to_string();
    Ok(ToolResult { content: vec![McpToolResultContent::Text { text }], is_error: false })
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let number = json!({"type": "number"});
    let properties = json!({"a": number, "b": number});
    let schema = json!({"type": "object", "properties": properties, "required": ["a", "b"]});
    let add = tool!("add", "Add two numbers.", schema, add);
    let server = McpServerConfig::Sdk(create_sdk_mcp_server("calc", "1.0.0", vec![add]));
    let servers = HashMap::from([("calc".to_owned(), server)]);
    let options = ClaudeAgentOptions::builder()
        .mcp_servers(McpServers::Dict(servers))
        .allowed_tools(vec!["mcp__calc__add".to_owned()])
        .build();
    let mut client = ClaudeClient::new(options);
    client.connect().await?;
    client.query("What is 2 + 40?").await?;
    {
        let mut messages = client.receive_response();
        while let Some(message) = messages.next().await {
            let Message::Assistant(message) = message? else { continue };
            for block in message.message.content {
                if let ContentBlock::Text(text) = block {
                    println!("{}", text.text);
                }
            }
        }
    }
    client.disconnect().await?;
    Ok(())
}
