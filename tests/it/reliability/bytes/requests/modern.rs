use super::super::case::Case;
use super::super::lines::call;
use super::{
    ASKING, CALL, INCAPABLE, INVALID, MISMATCH, NAME, NEW, NONE, REGION, RESULT, UNKNOWN, VERSION,
};

/// Requests of 2026-07-28.
pub(super) fn modern() -> Vec<Case> {
    let of = |method: &str, version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"add","arguments":{{"a":1,"b":2}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{version}","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        )
    };
    let region = of("tools/call", "2026-07-28").replace(
        r#""name":"add","arguments":{"a":1,"b":2}"#,
        r#""name":"test_custom_header","arguments":{"region":"eu"}"#,
    );
    let completion = of("completion/complete", "2026-07-28").replace(
        r#""name":"add","arguments":{"a":1,"b":2}"#,
        r#""ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"y","value":""}"#,
    );
    let asking = of("tools/call", "2026-07-28").replace(
        r#""name":"add","arguments":{"a":1,"b":2}"#,
        r#""name":"test_input_required_result_elicitation","arguments":{}"#,
    );
    let able = asking.replace("Capabilities\":{}", "Capabilities\":{\"elicitation\":{}}");
    let good = of("tools/call", "2026-07-28");
    let new = |name, headers, right| Case::post(name, headers, &*good, right);
    let other = |name, headers, body: &str, right| Case::post(name, headers, body, right);
    vec![
        new("2026-07-28: a call", &[NONE, NEW, CALL, NAME], RESULT).demanded(),
        other(
            "2026-07-28: no _meta",
            &[NONE, NEW, CALL, NAME],
            &call("1", "add", r#"{"a":1,"b":2}"#),
            INVALID,
        )
        .demanded(),
        other(
            "2026-07-28: _meta is a list",
            &[NONE, NEW, CALL, NAME],
            &good.replace("\"_meta\":{", "\"_meta\":[],\"x\":{"),
            INVALID,
        )
        .demanded(),
        other(
            "2026-07-28: no version in _meta",
            &[NONE, NEW, CALL, NAME],
            &good.replace(r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#, ""),
            INVALID,
        )
        .demanded(),
        other(
            "2026-07-28: no capabilities in _meta",
            &[NONE, NEW, CALL, NAME],
            &good.replace(r#","io.modelcontextprotocol/clientCapabilities":{}"#, ""),
            INVALID,
        )
        .demanded(),
        other(
            "2026-07-28: capabilities are a text",
            &[NONE, NEW, CALL, NAME],
            &good.replace("Capabilities\":{}", "Capabilities\":\"x\""),
            INVALID,
        )
        .demanded(),
        new(
            "2026-07-28: no MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version:", CALL, NAME],
            MISMATCH,
        )
        .demanded(),
        new(
            "2026-07-28: another MCP-Protocol-Version",
            &[NONE, "mcp-protocol-version: 2025-11-25", CALL, NAME],
            MISMATCH,
        )
        .demanded(),
        new(
            "2026-07-28: MCP-Protocol-Version twice",
            &[
                NONE,
                "mcp-protocol-version: 2026-07-28\r\nmcp-protocol-version: 2026-07-28",
                CALL,
                NAME,
            ],
            MISMATCH,
        )
        .demanded(),
        other(
            "version 2099-01-01 in both",
            &[NONE, "mcp-protocol-version: 2099-01-01", CALL, NAME],
            &of("tools/call", "2099-01-01"),
            VERSION,
        )
        .demanded(),
        new("2026-07-28: no Mcp-Method", &[NONE, NEW, NAME], MISMATCH).demanded(),
        new(
            "2026-07-28: Mcp-Method twice",
            &[NONE, NEW, "mcp-method: tools/call\r\nmcp-method: tools/call", NAME],
            MISMATCH,
        )
        .demanded(),
        new(
            "2026-07-28: another Mcp-Method",
            &[NONE, NEW, "mcp-method: tools/list", NAME],
            MISMATCH,
        )
        .demanded(),
        new(
            "2026-07-28: Mcp-Method: TOOLS/CALL",
            &[NONE, NEW, "mcp-method: TOOLS/CALL", NAME],
            MISMATCH,
        )
        .demanded(),
        new("2026-07-28: no Mcp-Name", &[NONE, NEW, CALL], MISMATCH).demanded(),
        new(
            "2026-07-28: Mcp-Name twice",
            &[NONE, NEW, CALL, "mcp-name: add\r\nmcp-name: add"],
            MISMATCH,
        )
        .demanded(),
        new("2026-07-28: another Mcp-Name", &[NONE, NEW, CALL, "mcp-name: sub"], MISMATCH)
            .demanded(),
        new(
            "2026-07-28: Mcp-Name in base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWRk?="],
            RESULT,
        )
        .demanded(),
        new(
            "2026-07-28: Mcp-Name in bad base64",
            &[NONE, NEW, CALL, "mcp-name: =?base64?YWR?="],
            MISMATCH,
        )
        .demanded(),
        other(
            "2026-07-28: Mcp-Param-Region",
            &[NONE, NEW, CALL, REGION, "mcp-param-region: eu"],
            &region,
            RESULT,
        )
        .demanded(),
        other("2026-07-28: no Mcp-Param-Region", &[NONE, NEW, CALL, REGION], &region, MISMATCH)
            .demanded(),
        other(
            "2026-07-28: another Mcp-Param-Region",
            &[NONE, NEW, CALL, REGION, "mcp-param-region: us"],
            &region,
            MISMATCH,
        )
        .demanded(),
        new(
            "2026-07-28: Mcp-Param-Region of a tool without it",
            &[NONE, NEW, CALL, NAME, "mcp-param-region: eu"],
            RESULT,
        )
        .demanded(),
        other(
            "2026-07-28: a method of a capability that was not offered",
            &[NONE, NEW, "mcp-method: completion/complete"],
            &completion,
            UNKNOWN,
        )
        .demanded(),
        other(
            "2026-07-28: an unknown method",
            &[NONE, NEW, "mcp-method: no/such"],
            &of("no/such", "2026-07-28"),
            UNKNOWN,
        )
        .demanded(),
        other(
            "2026-07-28: initialize",
            &[NONE, NEW, "mcp-method: initialize"],
            &of("initialize", "2026-07-28"),
            UNKNOWN,
        )
        .demanded(),
        other("2026-07-28: a tool that asks", &[NONE, NEW, CALL, ASKING], &able, RESULT).demanded(),
        other(
            "2026-07-28: a tool that asks a client without elicitation",
            &[NONE, NEW, CALL, ASKING],
            &asking,
            INCAPABLE,
        )
        .demanded(),
        new("2026-07-28: a session id", &[NEW, CALL, NAME], RESULT),
    ]
}
