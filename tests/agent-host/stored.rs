//! A conversation whose transcript is copied to Redis. Each line of the input is a prompt, and each
//! message is a line of the output. `HOST_STORE` names the server; variables whose names begin with
//! `CLI_` are those of the CLI, without that.

use std::env;
use std::io::stdin;
use std::sync::Arc;

use toolwright::agent::options::StoreFlush;
use toolwright::agent::sessions::RedisStore;
use toolwright::agent::{AgentClient, AgentOptions, ConnectError, Error};

pub(crate) async fn play(cli: String) -> Result<(), Error> {
    let url = env::var("HOST_STORE").unwrap_or_default();
    let store = RedisStore::open(&url, "sessions").map_err(ConnectError::Store)?;
    let of_cli = |(name, value): (String, String)| Some((name.strip_prefix("CLI_")?.into(), value));
    let environment: Vec<(String, String)> = env::vars().filter_map(of_cli).collect();
    let options = AgentOptions::builder()
        .cli_path(cli)
        .env_clear()
        .envs(environment)
        .setting_sources([])
        .strict_mcp_config(true)
        .allowed_tools(["Bash", "Read"])
        .session_store(Arc::new(store))
        .session_store_flush(StoreFlush::Eager);
    let mut client = AgentClient::connect(options.build()?).await?;
    for prompt in stdin().lines().map_while(Result::ok) {
        client.query(prompt).await?;
        while let Some(message) = client.next_response().await {
            println!("{}", message?.raw());
        }
    }
    client.close().await;
    Ok(())
}
