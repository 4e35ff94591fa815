//! The HTTP server of the model.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::life::Life;
use super::request::RecordedRequest;
use super::script::Script;
use super::stream::Parts;
use super::wire::Part;
use super::{conversation, wire};

/// Serves as long as the model is there.
pub(super) async fn serve(listener: TcpListener, script: Script, life: Life) {
    let routes = Router::new()
        .route("/v1/messages", post(messages))
        .route("/v1/messages/count_tokens", post(count_tokens))
        .fallback(probe)
        .method_not_allowed_fallback(probe)
        .layer(DefaultBodyLimit::disable())
        .with_state((script, life.clone()));
    // It always returns `Ok`: an error ends a connection, not the server.
    let _ = axum::serve(listener, routes).with_graceful_shutdown(life.over()).await;
}

async fn messages(
    State((script, life)): State<(Script, Life)>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body: Value = match serde_json::from_slice(&body) {
        Ok(body) => body,
        Err(error) => {
            return refusal(StatusCode::BAD_REQUEST, "invalid_request_error", &error.to_string());
        }
    };
    let is_stream = body["stream"] == true;
    let model = body["model"].as_str().unwrap_or("scripted").to_owned();
    let request = RecordedRequest::new(body);
    let part = conversation::part(&headers, &request);
    let reply = script.answer(request, part);
    // An error comes as a whole, so that all of its gates are before it.
    let pauses = reply.pauses().filter(|_| reply.error.is_some());
    for gate in reply.gate.iter().chain(pauses) {
        if !life.clone().lasts_until_open(gate.clone()).await {
            return refusal(StatusCode::SERVICE_UNAVAILABLE, "api_error", "the model was dropped");
        }
    }
    if let Some(error) = &reply.error {
        let status =
            StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        return refusal(status, &error.kind, &error.message);
    }
    let message = wire::Message::new(&model, &reply);
    let (kind, mut parts) = match is_stream {
        true => ("text/event-stream", message.parts()),
        false => ("application/json", message.whole()),
    };
    let body = match (parts.pop(), parts.is_empty()) {
        (Some(Part::Text(text)), true) => text.into(),
        (last, _) => Body::from_stream(Parts::new(parts.into_iter().chain(last).collect(), life)),
    };
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}

async fn count_tokens() -> Response {
    json_response(StatusCode::OK, &json!({"input_tokens": 10}))
}

/// The program requests some paths only to check that the server is there.
async fn probe(method: Method) -> Response {
    match method {
        Method::GET | Method::HEAD => json_response(StatusCode::OK, &json!({})),
        _ => {
            let message = "the scripted model does not serve this";
            refusal(StatusCode::NOT_FOUND, "not_found_error", message)
        }
    }
}

fn refusal(status: StatusCode, kind: &str, message: &str) -> Response {
    json_response(status, &json!({"type": "error", "error": {"type": kind, "message": message}}))
}

fn json_response(status: StatusCode, body: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}
