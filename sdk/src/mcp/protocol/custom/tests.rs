use serde_json::{Value, json};

use super::{CustomNotification, NotifyError, OF_PROTOCOL, REQUESTS, is_request};

/// The methods of the messages in all schemas.
fn methods() -> Vec<String> {
    fn find(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(members) => {
                let method = members.get("properties").and_then(|of| of.get("method"));
                let method = method.and_then(|of| of.get("const")).and_then(Value::as_str);
                found.extend(method.map(str::to_owned));
                members.values().for_each(|value| find(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| find(value, found)),
            _ => {}
        }
    }
    macro_rules! schemas {
        ($($version:literal)*) => {
            [$(include_str!(concat!("../../../../tests-data/mcp-schema/", $version, "/schema.json"))),*]
        };
    }
    let mut found = Vec::new();
    for schema in schemas!("2024-11-05" "2025-03-26" "2025-06-18" "2025-11-25" "2026-07-28") {
        find(&schema.parse().unwrap(), &mut found);
    }
    found
}

#[test]
fn every_notification_of_the_schemas_is_reserved() {
    let found = methods().into_iter().filter(|method| method.starts_with("notifications/"));
    let found: Vec<_> = found.collect();
    assert!(found.len() > 30, "the test has gone blind");
    for method in found {
        let refused = CustomNotification::new(&method, &json!({})).unwrap_err();
        assert_eq!(refused, NotifyError::Reserved(method));
    }
    assert!(OF_PROTOCOL.is_sorted());
}

#[test]
fn every_request_of_the_schemas_is_reserved() {
    let found = methods().into_iter().filter(|method| !method.starts_with("notifications/"));
    let found: Vec<_> = found.collect();
    assert!(found.len() > 60, "the test has gone blind");
    for method in found {
        assert!(is_request(&method), "{method}");
    }
    assert!(REQUESTS.is_sorted());
}

#[test]
fn parameters_are_an_object_or_absent() {
    let params = |params: Value| CustomNotification::new("a", &params).map(|it| it.params);
    assert_eq!(params(json!({"a": null})).unwrap(), r#"{"a":null}"#);
    assert_eq!(params(Value::Null).unwrap(), "{}");
    for other in [json!([1]), json!("a"), json!(1)] {
        let refused = params(other).unwrap_err().to_string();
        assert_eq!(refused, "the parameters cannot be sent: a JSON object is needed");
    }
    let unkeyed = std::collections::HashMap::from([((1, 2), 3)]);
    let refused = CustomNotification::new("a", &unkeyed).unwrap_err();
    assert_eq!(refused, NotifyError::Params("key must be a string".into()));
}
