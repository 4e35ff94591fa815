//! Log messages to the client.

use std::sync::Arc;

use expect_test::expect;
use toolwright::{Completing, LoggingLevel, Prompt, PromptArgument, Resource, ToolRegistry};

use super::harness::{World, check, check_in};
use super::toys::Toys;

#[test]
fn the_legacy_era_hears_from_info_on_until_it_says_otherwise() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"log":["debug","info","emergency"]}}
           legacy 2 logging/setLevel {"level":"error"}
           legacy 3 tools/call {"name":"speak","arguments":{"log":["warning","error","critical"]}}
           legacy 4 logging/setLevel {"level":"debug"}
           legacy 5 tools/call {"name":"speak","arguments":{"log":["debug"]}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"log":["debug","info","emergency"]}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":{"log":["debug","info","emergency"]}}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":2,"result":{}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":{"log":["warning","error","critical"]}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"critical","data":{"log":["warning","error","critical"]}}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":4,"result":{}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":{"log":["debug"]}}}
            {"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn a_level_that_does_not_exist_is_refused_and_changes_nothing() {
    check(
        r#"legacy 1 logging/setLevel {"level":"loud"}
           legacy 2 logging/setLevel {"level":"INFO"}
           legacy 3 logging/setLevel {"level":3}
           legacy 4 logging/setLevel {}
           {"jsonrpc":"2.0","id":5,"method":"logging/setLevel"}
           modern 6 tools/call {"name":"nothing","_meta":{"io.modelcontextprotocol/logLevel":"loud"}}
           legacy 7 tools/call {"name":"speak","arguments":{"log":["debug","info"]}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"log":["debug","info"]}}}
            {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn the_modern_era_hears_what_the_request_asks_for_and_no_more() {
    check(
        r#"legacy 1 logging/setLevel {"level":"debug"}
           modern 2 tools/call {"name":"speak","arguments":{"log":["emergency"]}}
           modern 3 tools/call {"name":"speak","arguments":{"log":["notice","warning","alert"]},"_meta":{"io.modelcontextprotocol/logLevel":"warning"}}
           legacy 4 tools/call {"name":"speak","arguments":{"log":["debug"]},"_meta":{"io.modelcontextprotocol/logLevel":"alert"}}
           modern 5 tools/call {"name":"speak","arguments":{"log":["emergency"]},"_meta":{"io.modelcontextprotocol/logLevel":null}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":{"log":["notice","warning","alert"]}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"alert","data":{"log":["notice","warning","alert"]}}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"debug","data":{"log":["debug"]}}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"spoken"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_level_that_is_set_holds_for_calls_that_come_later() {
    check(
        r#"legacy 1 tools/call {"name":"speak","arguments":{"log":["info"],"wait":true}}
           legacy 2 logging/setLevel {"level":"emergency"}
           legacy 3 tools/call {"name":"speak","arguments":{"log":["info"]}}
           finish 1"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"log":["info"],"wait":true}}}
            {"jsonrpc":"2.0","id":2,"result":{}}
            {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoken"}]}}
        "#]],
    );
}

#[test]
fn prompts_resources_and_completions_log_to_the_request_that_asks_for_it() {
    let arguments = [PromptArgument::optional("word", "")];
    let prompt = Prompt::new("speak", "", arguments, async |_, cx| {
        cx.log(LoggingLevel::Info, "prompt");
        "spoken"
    });
    let prompt = prompt.complete("word", async |_, at: Completing| {
        at.context().log(LoggingLevel::Info, "completion");
        ["word"]
    });
    let resource = Resource::new("toy://a", "a", "", async |_, cx| {
        cx.log(LoggingLevel::Info, "resource");
        "read"
    });
    let registry = ToolRegistry::builder("toy").version("1");
    let registry = registry.prompts([prompt]).resources([resource]).build().unwrap();
    check_in(
        World::serving(registry, Arc::new(Toys::default())),
        r#"modern 0 subscriptions/listen {"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/logLevel":"debug"}}
           modern 1 prompts/get {"name":"speak","_meta":{"io.modelcontextprotocol/logLevel":"info"}}
           modern 2 resources/read {"uri":"toy://a","_meta":{"io.modelcontextprotocol/logLevel":"info"}}
           modern 3 completion/complete {"ref":{"type":"ref/prompt","name":"speak"},"argument":{"name":"word","value":""},"_meta":{"io.modelcontextprotocol/logLevel":"info"}}
           modern 4 resources/read {"uri":"toy://a"}
           modern 5 resources/read {"uri":"toy://a","_meta":{"io.modelcontextprotocol/logLevel":"notice"}}
           modern 6 prompts/get {"name":"speak","_meta":{"io.modelcontextprotocol/logLevel":"loud"}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"promptsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":0}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"prompt"}}
            {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"spoken"}}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"resource"}}
            {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","contents":[{"uri":"toy://a","text":"read"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"completion"}}
            {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","completion":{"values":["word"],"total":1,"hasMore":false},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","contents":[{"uri":"toy://a","text":"read"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","contents":[{"uri":"toy://a","text":"read"}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
            {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"the log level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
        "#]],
    );
}
