//! `subscriptions/listen`.

use expect_test::expect;

use super::harness::check;

#[test]
fn a_subscription_is_acknowledged_under_its_own_id() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern "1" subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a:b"]}}
           modern -7 subscriptions/listen {"notifications":{}}
           modern "f" subscriptions/listen {"notifications":{"toolsListChanged":false}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"1"}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":-7}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"f"}}}
        "#]],
    );
}

#[test]
fn changes_are_told_where_they_were_asked_for() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern 2 subscriptions/listen {"notifications":{}}
           modern "3" subscriptions/listen {"notifications":{"toolsListChanged":true}}
           add late
           note notifications/cancelled {"requestId":1}
           remove late
           note notifications/cancelled {"requestId":"3"}
           add late"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            -
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"3"}}}
            -
            -
        "#]],
    );
}

#[test]
fn a_server_in_both_eras_tells_each_in_its_own_way() {
    check(
        r#"note notifications/initialized
           modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           add late"#,
        expect![[r#"
            -
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
            {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
        "#]],
    );
}

#[test]
fn closing_ends_a_subscription_with_a_result_and_cancelling_with_none() {
    check(
        r#"modern 1 subscriptions/listen {"notifications":{"toolsListChanged":true}}
           modern "two" subscriptions/listen {"notifications":{}}
           modern 3 subscriptions/listen {"notifications":{}}
           note notifications/cancelled {"requestId":3}
           close
           add late
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":"two"}}}
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{},"_meta":{"io.modelcontextprotocol/subscriptionId":3}}}
            -
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":"two","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"two","io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            -
            -
        "#]],
    );
}

#[test]
fn a_subscription_says_to_what() {
    check(
        r#"modern 1 subscriptions/listen
           modern 2 subscriptions/listen {"notifications":[]}
           modern 3 subscriptions/listen {"notifications":null}
           add late
           close"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"`notifications` must be an object"}}
            -
            -
        "#]],
    );
}
