//! `tools/list` and `tools/call`.

use super::Session;
use super::lifecycle::{bad_level, log_level};
use crate::mcp::args::Seed;
use crate::mcp::call::{Call, Done};
use crate::mcp::output::ToolResult;
use crate::mcp::protocol::{
    Content, ErrorObject, Meta, Request, Revision, Text, write_error, write_json, write_result,
};
use crate::scan;

impl Session {
    pub(super) fn list_tools(
        &mut self,
        request: &Request<'_>,
        revision: Revision,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorObject> {
        let cursor = match request.params.get("cursor") {
            None | Some("null") => None,
            Some(raw) => Some(
                scan::string(raw)
                    .ok_or_else(|| ErrorObject::invalid_params("`cursor` must be a string"))?,
            ),
        };
        let listing = self.listing().clone();
        let page = listing.page(revision, cursor.as_deref());
        let page = page.ok_or_else(|| {
            ErrorObject::invalid_params(
                "`cursor` is none that this server gave for its present tools",
            )
        })?;
        write_result(out, request.id, |out| {
            if revision.is_modern() {
                out.extend_from_slice(b"\"resultType\":\"complete\",");
            }
            out.extend_from_slice(page);
            if revision.is_modern() {
                out.extend_from_slice(b",\"ttlMs\":0,\"cacheScope\":\"private\"");
                self.write_server_info(out);
            }
        });
        Ok(())
    }

    /// Finds the tool and takes note of the call.
    pub(super) fn call<'a>(
        &mut self,
        request: &Request<'a>,
        meta: &Meta<'a>,
        revision: Revision,
    ) -> Result<Call<'a>, ErrorObject> {
        let name = request
            .params
            .name
            .and_then(scan::string)
            .ok_or_else(|| ErrorObject::invalid_params("`name` must be a string"))?;
        let arguments = match request.params.arguments {
            None | Some("null") => None,
            Some(text) if text.starts_with('{') => Some(text),
            Some(_) => return Err(ErrorObject::invalid_params("`arguments` must be an object")),
        };
        let tool = self.listing().get(&name).cloned().ok_or_else(|| self.unknown_tool(&name))?;
        let log_level = match meta.log_level.filter(|_| revision.is_modern()) {
            Some(raw) => Some(log_level(raw).ok_or_else(bad_level)?),
            None => (!revision.is_modern()).then_some(self.legacy.log_level),
        };
        let client = match revision.is_modern() {
            true => meta.client_info.map(Into::into),
            false => self.legacy.client.clone(),
        };
        let call = self.in_flight.insert(request.id, revision, tool.clone());
        let seed = Seed {
            host: self.host,
            call,
            link: self.link.clone(),
            protocol_version: revision.as_str(),
            meta: meta.text,
            progress_token: meta.progress_token,
            client,
            log_level,
        };
        Ok(Call { tool, arguments, seed, revision })
    }

    pub(super) fn write_done(&self, done: &Done, out: &mut Vec<u8>) {
        let id = done.call.id.as_json();
        match &done.outcome {
            // Clients fail on a success that breaks its promise; an error the model can read.
            Ok(result)
                if done.wraps_result.is_some()
                    && !result.is_error
                    && result.structured_content().is_none() =>
            {
                let broken = ToolResult::error(
                    "The tool has an output schema and gave no structured content.",
                );
                self.write_call_result(id, done.revision, None, &broken, out);
            }
            Ok(result) => self.write_call_result(id, done.revision, done.wraps_result, result, out),
            Err(error) => write_error(out, id, error),
        }
    }

    /// `wraps_result` says whether the legacy era gets structured content as `{"result": …}`;
    /// without an output schema the value decides.
    pub(super) fn write_call_result(
        &self,
        id: &str,
        revision: Revision,
        wraps_result: Option<bool>,
        result: &ToolResult,
        out: &mut Vec<u8>,
    ) {
        write_result(out, id, |out| {
            if revision.is_modern() {
                out.extend_from_slice(b"\"resultType\":\"complete\",");
            }
            out.extend_from_slice(b"\"content\":");
            write_content(out, &result.content);
            if let Some(structured) = result.structured_content() {
                let wraps =
                    !revision.is_modern() && wraps_result.unwrap_or(!structured.starts_with('{'));
                out.extend_from_slice(if wraps {
                    b",\"structuredContent\":{\"result\":".as_slice()
                } else {
                    b",\"structuredContent\":"
                });
                out.extend_from_slice(structured.as_bytes());
                out.extend_from_slice(if wraps { b"}" } else { b"" });
            }
            if result.is_error {
                out.extend_from_slice(b",\"isError\":true");
            }
            match &result.meta {
                Some(meta) => {
                    let mut meta = (**meta).clone();
                    if revision.is_modern() {
                        self.add_server_info(&mut meta);
                    }
                    out.extend_from_slice(b",\"_meta\":");
                    write_json(out, &meta);
                }
                None if revision.is_modern() => self.write_server_info(out),
                None => {}
            }
        });
    }

    fn unknown_tool(&self, name: &str) -> ErrorObject {
        let known: Vec<_> = self.listing.tools().iter().take(20).map(|tool| tool.name()).collect();
        let more = self.listing.tools().len().saturating_sub(known.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let known = if known.is_empty() {
            "no tools".to_owned()
        } else {
            format!("{}{more}", known.join(", "))
        };
        ErrorObject::invalid_params(format!("Unknown tool: {name}. There are: {known}"))
    }
}

fn write_content(out: &mut Vec<u8>, content: &[Content]) {
    match content {
        // By far the most results are one plain text.
        [Content::Text(Text { text, annotations: None, meta: None })] => {
            out.extend_from_slice(b"[{\"type\":\"text\",\"text\":");
            write_json(out, text);
            out.extend_from_slice(b"}]");
        }
        _ => write_json(out, content),
    }
}
