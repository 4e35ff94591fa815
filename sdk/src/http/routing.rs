//! The headers by which balancers route a request: they must agree with its body.

use std::borrow::Cow;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::AsHeaderName;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::ToolRegistry;
use crate::mcp::protocol::Request;
use crate::mcp::schema::{Header, canonical};
use crate::scan;

pub(super) static PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
static METHOD: HeaderName = HeaderName::from_static("mcp-method");
static NAME: HeaderName = HeaderName::from_static("mcp-name");

/// What is wrong with the headers `Mcp-Method`, `Mcp-Name` and `Mcp-Param-*` of a modern request.
pub(super) fn check(
    headers: &HeaderMap,
    request: &Request<'_>,
    registry: &ToolRegistry,
) -> Result<(), String> {
    let method = single(headers, &METHOD)?;
    if method != Some(request.method.as_bytes()) {
        return Err(differs("Mcp-Method", method, &request.method));
    }
    let named = match &*request.method {
        "tools/call" | "prompts/get" => request.params.name,
        "resources/read" => request.params.get("uri"),
        method if is_about_tasks(method) => request.params.get("taskId"),
        _ => return Ok(()),
    };
    // A value that is no string is the session's to refuse.
    let Some(named) = named.and_then(scan::string) else { return Ok(()) };
    let written = single(headers, &NAME)?;
    match written.map(decode).transpose()? {
        Some(written) if *written == *named => {}
        _ => return Err(differs("Mcp-Name", written, &named)),
    }
    if request.method == "tools/call"
        && let Some(tool) = registry.tool_list().now().get(&named)
    {
        let arguments = request.params.arguments.unwrap_or_default();
        return tool.definition().headers.iter().try_for_each(|it| repeats(headers, it, arguments));
    }
    Ok(())
}

/// True of requests that may end a task, or tell what it waits for.
pub(super) fn is_about_tasks(method: &str) -> bool {
    matches!(method, "tasks/get" | "tasks/update" | "tasks/cancel")
}

/// True if the headers say that, before the body says the same.
pub(super) fn asks_for_tasks(headers: &HeaderMap) -> bool {
    let method = single(headers, &METHOD).ok().flatten();
    method.and_then(|method| std::str::from_utf8(method).ok()).is_some_and(is_about_tasks)
}

/// The tool that the headers name, before the body says the same.
pub(super) fn called(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let is_call = matches!(single(headers, &METHOD), Ok(Some(b"tools/call")));
    let name = single(headers, &NAME).ok().flatten().filter(|_| is_call);
    name.and_then(|name| decode(name).ok())
}

/// Checks that a header repeats its argument.
fn repeats(headers: &HeaderMap, header: &Header, arguments: &str) -> Result<(), String> {
    let Header { name, path } = header;
    let value = path.iter().try_fold(arguments, |object, key| scan::member(object, key));
    let written = single(headers, name)?;
    let decoded = written.map(decode).transpose()?;
    match value.filter(|value| *value != "null") {
        None if written.is_some() => Err(format!("the body has no argument for the header {name}")),
        None => Ok(()),
        Some(text) if text.starts_with('"') => match scan::string(text) {
            Some(text) if decoded.as_deref() == Some(&*text) => Ok(()),
            Some(text) => Err(differs(name, written, &text)),
            // It is not JSON, which the tool's decoder says.
            None => Ok(()),
        },
        // No header can repeat it, and the decoder refuses it.
        Some(nested) if nested.starts_with(['{', '[']) => Ok(()),
        Some(plain) => {
            // `5` and `5.0` are one number.
            let whole = decoded.as_deref().filter(|text| scan::value(text) == Some(text));
            match whole.and_then(canonical) {
                Some(decoded) if Some(&decoded) == canonical(plain).as_ref() => Ok(()),
                _ => Err(differs(name, written, plain)),
            }
        }
    }
}

/// The value of a header that may stand once, without blanks around it.
pub(super) fn single(
    headers: &HeaderMap,
    name: impl AsHeaderName + Copy + fmt::Display,
) -> Result<Option<&[u8]>, String> {
    let mut values = headers.get_all(name).iter().map(HeaderValue::as_bytes);
    match (values.next(), values.next()) {
        (value, None) => Ok(value.map(<[u8]>::trim_ascii)),
        (_, Some(_)) => Err(format!("the request has more than one header {name}")),
    }
}

/// The text of a header's value: `=?base64?…?=` has any text, everything else is the text itself.
pub(super) fn decode(value: &[u8]) -> Result<Cow<'_, str>, String> {
    let text = std::str::from_utf8(value).map_err(|_| "a header is not ASCII".to_owned())?;
    let Some(encoded) = text.strip_prefix("=?base64?").and_then(|text| text.strip_suffix("?="))
    else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = STANDARD.decode(encoded).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    bytes.map(Cow::Owned).ok_or_else(|| format!("the header's value {text:?} is not valid base64"))
}

fn differs(header: &str, written: Option<&[u8]>, body: &str) -> String {
    match written {
        Some(written) => {
            let written = String::from_utf8_lossy(written);
            format!("the header {header} says {written:?}, and the body {body:?}")
        }
        None => format!("the header {header} is missing; the body has {body:?}"),
    }
}
