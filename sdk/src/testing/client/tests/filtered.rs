//! Tools that are there for some sessions in memory.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use toolwright::testing::TestClient;
use toolwright::{Context, State, ToolRegistry, tool, tools};

#[derive(Default)]
struct Login {
    is_done: AtomicBool,
}

#[tool]
async fn login(login: State<Login>, cx: &Context) {
    login.is_done.store(true, Ordering::SeqCst);
    cx.tools_changed();
}

#[tool]
fn order(what: String) -> String {
    what
}

fn is_told(client: &mut TestClient) -> bool {
    let changed = "notifications/tools/list_changed";
    client.notifications().unwrap().iter().any(|message| message["method"] == changed)
}

#[test]
fn a_tool_appears_after_a_login() {
    for modern in [false, true] {
        let registry = ToolRegistry::builder("shop")
            .tools(tools![login, order])
            .session_state(Login::default)
            .tool_filter(|tool, cx| {
                let login = cx.extension::<Login>().unwrap();
                tool.name() == "login" || login.is_done.load(Ordering::SeqCst)
            })
            .build()
            .unwrap();
        let [mut client, mut other] = [(); 2].map(|()| {
            let client = TestClient::in_memory(&registry).unwrap();
            if !modern {
                return client;
            }
            let mut client = client.modern();
            let wanted = json!({"notifications": {"toolsListChanged": true}});
            client.send("subscriptions/listen", wanted).unwrap();
            client
        });
        assert_eq!(client.list_tools().unwrap().len(), 1);
        assert!(client.call_tool("order", json!({"what": "tea"})).is_err());
        client.call("login", json!({})).unwrap();
        assert!(is_told(&mut client));
        assert_eq!(client.list_tools().unwrap().len(), 2);
        assert_eq!(client.call("order", json!({"what": "tea"})).unwrap().to_text(), "tea");
        assert_eq!(other.list_tools().unwrap().len(), 1);
        assert!(!is_told(&mut other));
    }
}
