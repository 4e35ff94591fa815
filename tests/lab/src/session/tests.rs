use serde_json::json;

use super::*;
use crate::servers::Name;

#[test]
fn a_server_gets_nothing_that_this_program_has_in_its_environment() {
    let inherited = "CARGO_MANIFEST_DIR";
    assert!(std::env::var_os(inherited).is_some(), "cargo sets it");
    let script = format!("[ -z \"${inherited}\" ] && exec cat");
    let server =
        Server { name: Name::Raw, program: "/bin/sh".into(), args: vec!["-c".to_owned(), script] };
    let session = Session::start(&server, Era::Legacy).expect("it echoes the opening");
    session.close().expect("it ends");
}

#[test]
fn what_a_server_says_behind_its_last_answer_is_noticed() {
    let args = ["-c", "cat; echo more"].map(str::to_owned).into();
    let server = Server { name: Name::Raw, program: "/bin/sh".into(), args };
    let session = Session::start(&server, Era::Legacy).expect("it echoes the opening");
    let error = session.close().expect_err("nobody has asked for more");
    assert_eq!(error.to_string(), "it says more than was asked for: more");
}

#[test]
fn a_list_without_one_of_the_tools_or_its_schema_is_noticed() {
    let list = |names: &[&str], schema: Value| {
        let tools: Vec<_> =
            names.iter().map(|name| json!({"name": name, "inputSchema": schema})).collect();
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}).to_string()
    };
    let all = ["add", "echo", "sleep_ms", "search", "more"];
    let checked = |line: String| check_tools(line.as_bytes()).is_ok();
    assert!(checked(list(&all, json!({"type": "object"}))));
    assert!(!checked(list(&all[1..], json!({"type": "object"}))));
    assert!(!checked(list(&all, Value::Null)));
    assert!(!checked(list(&all, json!({})).replace("\"id\":1", "\"id\":0")));
}
