use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::mcp::protocol::{Message, Request};

const KEYS: [&str; 9] = [
    r#""io.modelcontextprotocol/protocolVersion""#,
    r#""io.modelcontextprotocol/clientInfo""#,
    r#""io.modelcontextprotocol/clientCapabilities""#,
    r#""progressToken""#,
    r#""progress\u0054oken""#,
    r#""io.modelcontextprotocol/logLevel""#,
    r#""traceparent""#,
    "\"a\tb\"",
    r#""a\xb""#,
];

const VALUES: [&str; 20] = [
    r#""2026-07-28""#,
    r#"{"name":"a","version":"1.0.0"}"#,
    r#"{"name":"a\n","title":"é","version":"1.0.0"}"#,
    "{}",
    r#"{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}}"#,
    r#"{ "roots" : {} }"#,
    r#"{"a":{"a":{"a":{"a":{"a":{}}}}}}"#,
    "7",
    "1.5",
    "-0.5",
    "true",
    "null",
    r#"[1,"a"]"#,
    r#""\ud83d\ude00""#,
    // None of these is JSON.
    "tru",
    "truest",
    "01",
    "\"a\u{1}\"",
    r#"{"a":"\x"}"#,
    r#"{"a":true,}"#,
];

fn request(meta: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"a","_meta":{meta}}}}}"#
    )
}

/// What [`Meta::leading`] finds, by serde_json, which keeps the last of members with the same key.
fn expected(meta: &Value) -> [Option<&Value>; 5] {
    let token = |token: &&Value| token.is_string() || is_id(&token.to_string());
    [
        meta.get(PROTOCOL_VERSION),
        meta.get(CLIENT_INFO),
        meta.get(CLIENT_CAPABILITIES),
        meta.get(PROGRESS_TOKEN).filter(token),
        meta.get(LOG_LEVEL),
    ]
}

/// A position among so many, mostly one of the `first`.
fn mostly(first: usize, all: usize) -> impl Strategy<Value = usize> {
    prop_oneof![8 => 0..first, 1 => first..all]
}

#[test]
fn what_is_no_object_reads_as_empty() {
    for meta in ["null", "7", "[]", r#""{}""#] {
        let line = request(meta);
        let Message::Request(Request { params, .. }) = Message::read(&line) else {
            panic!("{line}")
        };
        assert_eq!(params.meta.text, None, "{meta}");
        assert!(!params.meta.names_its_revision(), "{meta}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_request_is_read_if_its_meta_is_json_and_the_last_member_counts(
        members in prop::collection::vec((mostly(7, 9), mostly(14, 20)), 0..6),
        mark in prop_oneof![4 => Just(","), 1 => Just(" ,\t"), 1 => Just(",,")],
        colon in prop_oneof![4 => Just(":"), 1 => Just(" : ")],
    ) {
        let members = members.iter().map(|(key, value)| [KEYS[*key], VALUES[*value]].join(colon));
        let text = format!("{{{}}}", members.collect::<Vec<_>>().join(mark));
        let line = request(&text);
        match (Message::read(&line), serde_json::from_str::<Value>(&text)) {
            (Message::Request(Request { params, .. }), Ok(value)) => {
                let meta = params.meta;
                prop_assert_eq!(meta.text, Some(&*text));
                let found = [
                    meta.protocol_version,
                    meta.client_info,
                    meta.client_capabilities,
                    meta.progress_token,
                    meta.log_level,
                ];
                let found = found.map(|raw| raw.map(|raw| serde_json::from_str(raw).unwrap()));
                prop_assert_eq!(found.each_ref().map(Option::as_ref), expected(&value), "{}", text);
            }
            (Message::Invalid { .. }, Err(_)) => {}
            (message, value) => prop_assert!(false, "{} is {:?}, and {:?}", text, message, value),
        }
    }
}
