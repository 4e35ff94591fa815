use proptest::prelude::*;

use super::*;
use crate::mcp::protocol::is_id;

/// The message that a line is read as, in a few words.
fn read(line: &str) -> String {
    match Message::read(line) {
        Message::Request(Request { id, method, params, .. }) => {
            format!(
                "request {id} {method} name={:?} arguments={:?} meta={:?}",
                params.name, params.arguments, params.meta.text
            )
        }
        Message::Notification(method, _) => format!("notification {method}"),
        Message::Response(_) => "response".into(),
        Message::Batch => "batch".into(),
        Message::Invalid { id, error, .. } => {
            let id = id.map_or("-".into(), |id| id.to_string());
            format!("invalid {id} {}", error.code)
        }
    }
}

#[test]
fn the_parts_of_a_request_are_borrowed_as_they_stand() {
    assert_eq!(
        read(
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"n","arguments":{ "x" : [1] },"_meta":{"k":"}"}}}"#
        ),
        r#"request "a" tools/call name=Some("\"n\"") arguments=Some("{ \"x\" : [1] }") meta=Some("{\"k\":\"}\"}")"#
    );
    assert_eq!(
        read(r#"{"id":1.0,"method":"m","jsonrpc":"2.0"}"#),
        "request 1.0 m name=None arguments=None meta=None"
    );
}

#[test]
fn a_line_is_one_of_five_kinds() {
    let lines = [
        (r#"{"jsonrpc":"2.0","method":"m"}"#, "notification m"),
        (r#"{"jsonrpc":"2.0","method":"a\/b","params":[]}"#, "notification a/b"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "response"),
        (r#"{"id":null,"error":{}}"#, "response"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#,
            "request 1 m name=None arguments=None meta=None",
        ),
        (r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#, "invalid - -32600"),
        (r#"{"jsonrpc":"2","id":1,"method":"m"}"#, "invalid 1 -32600"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "invalid 1 -32600"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m",}"#, "invalid 1 -32700"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"m","x":"\x"}"#, "invalid 1 -32700"),
        (r#"{"jsonrpc":"2.0","method":"m","x":tru}"#, "invalid - -32700"),
        ("", "invalid - -32700"),
        ("[]", "batch"),
        (" [{}", "batch"),
        ("7", "invalid - -32700"),
    ];
    for (line, expected) in lines {
        assert_eq!(read(line), expected, "{line}");
    }
}

#[test]
fn of_members_that_stand_there_twice_the_last_counts() {
    let line = r#"{"jsonrpc":"1.0","jsonrpc":"2.0","id":1,"id":2,"method":"a","method":"tools/call","params":{"name":"x"},"params":{"name":"y","name":"z"}}"#;
    assert_eq!(read(line), r#"request 2 tools/call name=Some("\"z\"") arguments=None meta=None"#);
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"name":"x"},"params":null}"#;
    assert_eq!(read(line), "request 1 m name=None arguments=None meta=None");
}

#[test]
fn other_params_are_found_when_asked_for() {
    let Message::Request(request) = Message::read(
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"b":1},"cursor":"c","b":2}}"#,
    ) else {
        panic!("no request")
    };
    assert_eq!(request.params.get("cursor"), Some("\"c\""));
    assert_eq!(request.params.get("b"), Some("2"));
    assert_eq!(request.params.get("c"), None);
    assert!(!request.params.ill_typed);
    assert_eq!(Params::default().get("a"), None);
}

#[test]
fn params_that_are_no_object_are_noted() {
    for (params, ill_typed) in [
        ("null", false),
        ("{}", false),
        ("[]", true),
        ("0", true),
        ("\"{}\"", true),
        ("false", true),
    ] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
        let Message::Request(request) = Message::read(&line) else { panic!("{line}") };
        assert_eq!(request.params.ill_typed, ill_typed, "{params}");
    }
}

#[test]
fn an_id_is_a_string_or_an_integer() {
    for id in [
        "0",
        "-0",
        "7",
        "-7",
        "10",
        "1.0",
        "-10.0",
        "123456789012345678901234567890",
        r#""""#,
        r#""\u00e9""#,
    ] {
        assert!(is_id(id), "{id}");
    }
    for id in [
        "", "-", "01", "-01", "1.", "1.5", "1.00", ".0", "1e2", "1.0.0", "+1", "null", "true",
        "{}", "[]", "\"", "\"\\x\"", "\"\t\"",
    ] {
        assert!(!is_id(id), "{id}");
    }
}

#[test]
fn space_may_be_anywhere_between_parts() {
    let compact = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":1}}}"#;
    let marks = [&[':'][..], &[':', ','], &['{', '}'], &[':', ',', '{', '}']];
    let spaces = [("", " "), (" ", ""), ("\t", "\r\n  ")];
    for (marks, (before, after)) in marks.iter().flat_map(|marks| spaces.map(|s| (*marks, s))) {
        let mut wide = String::new();
        for part in compact.split_inclusive(marks) {
            match part.strip_suffix(marks) {
                Some(text) => wide.extend([text, before, &part[text.len()..], after]),
                None => wide.push_str(part),
            }
        }
        let Message::Request(request) = Message::read(&wide) else { panic!("{wide}") };
        assert_eq!((request.id, &*request.method), (1.into(), "tools/call"));
        assert_eq!(request.params.name, Some("\"a\""));
        let arguments: Value = serde_json::from_str(request.params.arguments.unwrap()).unwrap();
        assert_eq!(arguments, serde_json::json!({"b": 1}));
    }
}

#[test]
fn ids_of_any_length_are_kept_and_compared_by_their_text() {
    use std::collections::HashSet;
    let mut seen = HashSet::new();
    for length in 0..60 {
        let text = format!("\"{}\"", "x".repeat(length));
        let digits = format!("1{}", "0".repeat(length));
        for text in [text, digits.clone(), format!("-{digits}"), format!("{digits}.0")] {
            let id = RequestId::read(&text).unwrap();
            let mut written = Vec::new();
            id.write(&mut written);
            assert_eq!((id.to_string(), written), (text.clone(), text.clone().into_bytes()));
            assert_eq!(Some(&id), RequestId::read(&text).as_ref());
            assert!(seen.insert(id));
        }
    }
    for text in ["0", "-0", "0.0", "18446744073709551615", "18446744073709551616"] {
        assert_eq!(RequestId::read(text).unwrap().to_string(), text);
    }
    assert_ne!(RequestId::read("1"), RequestId::read("\"1\""));
    assert_ne!(RequestId::read("1"), RequestId::read("1.0"));
}

#[test]
fn answers_are_whole_lines() {
    let mut out = Vec::new();
    write_result(&mut out, &RequestId::read("\"a\"").unwrap(), &mut |out| {
        out.extend_from_slice(b"\"x\":1")
    });
    write_error(&mut out, Some(&7.into()), &ErrorObject::new(-1, "line\nend \"\u{7f}\""));
    write_error(
        &mut out,
        Some(&8.into()),
        &ErrorObject::invalid_params("no").with_data(serde_json::json!({"a": [null]})),
    );
    assert_eq!(
        String::from_utf8(out).unwrap(),
        concat!(
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"x\":1}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1,\"message\":\"line\\nend \\\"\u{7f}\\\"\"}}\n",
            "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32602,\"message\":\"no\",\"data\":{\"a\":[null]}}}\n",
        )
    );
}

/// Any JSON value, as text; strings in it look like JSON now and then.
fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[ -~]{0,8}", r#"["\\\\{}\[\]:,]{0,6}"#, "\\PC{0,4}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no infinity", |number| number.is_finite())
            .prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let key = prop_oneof![4 => text.clone().boxed(), 1 => Just("id".to_owned()).boxed(), 1 => Just("method".to_owned()).boxed()];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_arguments_are_their_text_is_found(name in json(), arguments in json(), extra in json(), pretty in any::<bool>()) {
        let line = serde_json::json!({
            "before": extra, "jsonrpc": "2.0", "params": {"name": name, "more": extra, "arguments": arguments}, "id": -7, "method": "tools/call",
        });
        let line = if pretty { format!("{line:#}") } else { line.to_string() };
        let Message::Request(Request { id, method, params, .. }) = Message::read(&line) else { panic!("{line}") };
        prop_assert_eq!((&*id.to_string(), &*method), ("-7", "tools/call"));
        let parsed = |raw: Option<&str>| serde_json::from_str::<Value>(raw.unwrap()).unwrap();
        prop_assert_eq!(parsed(params.name), name);
        prop_assert_eq!(parsed(params.arguments), arguments);
        prop_assert_eq!(parsed(params.get("more")), extra);
    }

    #[test]
    fn a_torn_line_is_never_taken_for_whole_nor_answered_under_another_id(arguments in json(), id in any::<u32>(), at in any::<prop::sample::Index>()) {
        for line in [
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"n","arguments":{arguments}}}}}"#),
            format!(r#"{{"method":"tools/call","params":{{"arguments":{arguments}}},"jsonrpc":"2.0","id":"{id}"}}"#),
            format!(r#"{{"method":"tools/call","params":{arguments},"jsonrpc":"2.0","id":{id}}}"#),
        ] {
            let mut cut = at.index(line.len() - 1) + 1;
            while !line.is_char_boundary(cut) {
                cut -= 1;
            }
            match Message::read(&line[..cut]) {
                Message::Invalid { id: found, .. } => {
                    let found = found.map(|found| found.to_string().trim_matches('"').to_owned());
                    prop_assert!(found.is_none() || found == Some(id.to_string()), "{:?} in {}", found, &line[..cut]);
                }
                other => prop_assert!(false, "{} was read as {:?}", &line[..cut], other),
            }
        }
    }

    #[test]
    fn no_line_stops_the_reader(line in r#"(\{|"id"|"method"|"params"|"jsonrpc"|:|,|"2\.0"|1|null|\}|\[|\]|"\\|\\u|é| ){0,24}"#) {
        match Message::read(&line) {
            Message::Request(_) | Message::Notification(..) | Message::Response(_) => {
                prop_assert!(scan::is_json(&line), "{}", line);
            }
            Message::Batch => {}
            Message::Invalid { id, .. } => prop_assert!(id.is_none_or(|id| is_id(&id.to_string()))),
        }
    }
}
