//! One function for each check.

use anyhow::{Context as _, Result, bail, ensure};
use futures::future::try_join_all;
use rmcp::ServiceError;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, CustomRequest, CustomResult, ErrorCode,
    ServerNotification, ServerResult, SubscriptionFilter,
};
use rmcp::service::{PeerRequestOptions, RequestHandle};
use rmcp::{Peer, RoleClient};
use serde_json::{Value, json};

use crate::connection::{Connection, Era, params, text};

pub async fn list(client: &Connection) -> Result<()> {
    let names = names(client).await?;
    for name in ["add", "fail", "until_cancelled", "grow", "test_image_content"] {
        ensure!(names.iter().any(|listed| listed == name), "{name} is missing in {names:?}");
    }
    Ok(())
}

pub async fn call(client: &Connection) -> Result<()> {
    same(&text_of(client, "add", json!({"a": 2, "b": 3})).await?, "5")
}

pub async fn structured(client: &Connection, era: &Era) -> Result<()> {
    let info = client.peer_info().context("the server has not introduced itself")?;
    same(info.protocol_version.as_str(), era.version.as_str())?;
    let result = client.call_tool(params("whoami", json!({}))).await?;
    let content = result.structured_content.context("there is no structured content")?;
    same(content["protocol_version"].as_str().unwrap_or_default(), era.version.as_str())
}

pub async fn is_error(client: &Connection) -> Result<()> {
    let result = client.call_tool(params("fail", json!({"message": "out of paper"}))).await?;
    ensure!(result.is_error == Some(true), "{result:?}");
    same(&text(&result), "out of paper")
}

pub async fn unknown_tool(client: &Connection) -> Result<()> {
    match client.call_tool(params("no_such_tool", json!({}))).await {
        Err(ServiceError::McpError(error)) => {
            ensure!(error.code == ErrorCode::INVALID_PARAMS, "{error:?}");
            ensure!(error.message.contains("no_such_tool"), "{error:?}");
            Ok(())
        }
        other => bail!("{other:?}"),
    }
}

pub async fn progress(client: &Connection) -> Result<()> {
    let call = start(client, params("test_tool_with_progress", json!({}))).await?;
    let mut told = Vec::new();
    for _ in 0..3 {
        let progress = client.service().progress_of(&call.progress_token).await;
        let progress = progress.context("no more progress")?;
        told.push((progress.progress, progress.total, progress.message));
    }
    call.await_response().await?;
    // This client handles each notification in a task of its own.
    told.sort_by(|one, other| one.0.total_cmp(&other.0));
    let expected = [0.0, 50.0, 100.0]
        .map(|done| (done, Some(100.0), Some(format!("Completed step {done} of 100"))));
    ensure!(told == expected, "{told:?}");
    Ok(())
}

pub async fn custom(client: &Connection) -> Result<()> {
    same(&text_of(client, "tell", json!({"text": "a\nb"})).await?, "told")?;
    let told = client.service().notice().await.context("no notification")?;
    same(&told.method, "notifications/fixture/told")?;
    same(&told.params.unwrap_or_default().to_string(), r#"{"text":"a\nb"}"#)?;
    let ask = |method: &str, params| {
        client.send_request(ClientRequest::CustomRequest(CustomRequest::new(method, Some(params))))
    };
    match ask("fixture/spell", json!({"text": "a\nb"})).await? {
        ServerResult::CustomResult(CustomResult(spelt)) => {
            same(spelt["spelt"].as_str().unwrap_or_default(), "b\na")?;
        }
        // rmcp reads each result that has a `resultType` as one of a tool.
        ServerResult::CallToolResult(result) if result.result_type.is_some() => {}
        other => bail!("{other:?}"),
    }
    for (method, code) in [
        ("fixture/spell", ErrorCode::INVALID_PARAMS),
        ("fixture/sing", ErrorCode::METHOD_NOT_FOUND),
    ] {
        match ask(method, json!({"text": 1})).await {
            Err(ServiceError::McpError(error)) => ensure!(error.code == code, "{error:?}"),
            other => bail!("{other:?}"),
        }
    }
    Ok(())
}

pub async fn cancel(client: &Connection) -> Result<()> {
    let call = start(client, params("until_cancelled", json!({}))).await?;
    client.service().progress_of(&call.progress_token).await.context("no progress")?;
    call.cancel(Some("no longer wanted".to_owned())).await?;
    same(&text_of(client, "after_cancel", json!({})).await?, "it was cancelled")
}

pub async fn four_in_parallel(client: &Connection) -> Result<()> {
    let texts = ["north", "east", "south", "west"];
    let calls = texts.map(|word| text_of(client, "four_together", json!({"text": word})));
    let answers = try_join_all(calls).await?;
    ensure!(answers == texts, "{answers:?}");
    Ok(())
}

pub async fn list_changed(client: &Connection, era: &Era) -> Result<()> {
    ensure!(!names(client).await?.iter().any(|name| name == "fresh"), "it is there already");
    if era.version.has_initialize() {
        text_of(client, "grow", json!({})).await?;
        client.service().list_changed.notified().await;
    } else {
        let filter = SubscriptionFilter::builder().tools_list_changed().build();
        let mut subscription = client.listen(filter).await?;
        text_of(client, "grow", json!({})).await?;
        match subscription.next().await? {
            Some(ServerNotification::ToolListChangedNotification(_)) => {}
            other => bail!("{other:?}"),
        }
    }
    ensure!(names(client).await?.iter().any(|name| name == "fresh"), "it is not there");
    Ok(())
}

async fn names(client: &Connection) -> Result<Vec<String>> {
    let tools = client.list_all_tools().await?;
    Ok(tools.into_iter().map(|tool| tool.name.into_owned()).collect())
}

async fn text_of(client: &Peer<RoleClient>, tool: &str, arguments: Value) -> Result<String> {
    Ok(text(&client.call_tool(params(tool, arguments)).await?))
}

async fn start(
    client: &Peer<RoleClient>,
    params: CallToolRequestParams,
) -> Result<RequestHandle<RoleClient>> {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    Ok(client.send_cancellable_request(request, PeerRequestOptions::no_options()).await?)
}

fn same(actual: &str, expected: &str) -> Result<()> {
    ensure!(actual == expected, "{actual:?} is not {expected:?}");
    Ok(())
}
