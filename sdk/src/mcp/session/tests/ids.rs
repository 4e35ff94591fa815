//! Answers have the id as the same JSON text.

use super::harness::World;

const GOOD: [&str; 16] = [
    "0",
    "-7",
    "-0",
    "\"\"",
    "\"7\"",
    "\"a-b\"",
    r#""\u00e9\"\\\/""#,
    "\"é\u{2028}\"",
    r#""a-string-longer-than-twenty-two-bytes""#,
    "9007199254740993",
    "18446744073709551616",
    "12345678901234567890123",
    "-12345678901234567890123",
    "1.0",
    "-1.0",
    "10",
];

#[test]
fn a_good_id_comes_back_byte_for_byte() {
    for id in GOOD {
        let mut world = World::new();
        let requests = [
            ("legacy", "ping", "{}"),
            ("legacy", "tools/call", r#"{"name":"nothing"}"#),
            ("modern", "tools/call", r#"{"name":"nothing"}"#),
            ("legacy", "tools/call", r#"{"name":"add"}"#),
            ("modern", "server/discover", "{}"),
            ("legacy", "no/such", "{}"),
            ("legacy", "tools/list", "[]"),
        ];
        for (era, method, params) in requests {
            let answer = world.play(&format!("{era} {id} {method} {params}"));
            assert!(answer.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},")), "{answer}");
            assert_eq!(answer.lines().count(), 1);
        }
    }
}

#[test]
fn a_waiting_call_keeps_its_id() {
    for id in GOOD {
        let mut world = World::new();
        let wait =
            format!(r#"legacy {id} tools/call {{"name":"speak","arguments":{{"wait":true}}}}"#);
        assert_eq!(world.play(&wait), "-\n");
        assert_eq!(
            world.play(&format!("finish {id}")),
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"spoken\"}}]}}}}\n"
            )
        );
        world.play(&wait);
        assert_eq!(
            world.play(&format!(r#"note notifications/cancelled {{"requestId":{id}}}"#)),
            "-\n"
        );
        assert_eq!(world.running(), 0);
    }
}

#[test]
fn what_is_no_id_is_refused_without_an_id() {
    for id in ["null", "1.5", "true", "false", "{}", "[]", "[1]", "{\"id\":1}", "1e2", "-1.50"] {
        let mut world = World::new();
        for (method, params) in
            [("ping", "{}"), ("tools/call", r#"{"name":"nothing"}"#), ("no/such", "[]")]
        {
            assert_eq!(
                world.play(&format!("legacy {id} {method} {params}")),
                "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"Invalid request: `id` must be a string or an integer\"}}\n"
            );
        }
        assert_eq!(world.running(), 0);
    }
}

/// The schemas of older revisions demand an id in every error.
#[test]
fn what_is_no_id_is_not_answered_before_2025_11_25() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut world = World::new();
        world.play(&format!(r#"legacy 1 initialize {{"protocolVersion":"{version}"}}"#));
        assert_eq!(world.play("legacy null ping"), "-\n");
        assert_eq!(world.play("legacy 1.5 ping"), "-\n");
    }
}

#[test]
fn what_is_no_json_is_no_id_either() {
    for id in ["01", "+1", ".5", "1.", "-", "nul", "1x", "'a'", "\"\u{1}\"", "\"\\x\"", "0x10"] {
        let mut world = World::new();
        for (method, params) in [("ping", "{}"), ("tools/call", r#"{"name":"nothing"}"#)] {
            assert_eq!(world.play(&format!("legacy {id} {method} {params}")), "-\n", "{id}");
        }
    }
}

#[test]
fn of_an_id_that_stands_there_twice_the_last_counts() {
    let answer =
        World::new().play(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"no/such","method":"ping"}"#);
    assert_eq!(answer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n");
}
