use std::future::pending;

use serde_json::{Value, json};

use super::*;
use crate::{Context, Tool};

#[tokio::test]
async fn a_cancelled_control_request_leaves_nothing_behind() {
    let waits =
        Tool::new("waits", "", json!({"type": "object"}), |_: Value, _: Context| pending::<&str>());
    let registry = ToolRegistry::builder("toy").tool(waits).build().unwrap();
    let channel = Arc::new(Channel::default());
    let servers = Servers::new(&channel, &Jobs::new(channel.clone()), &[registry], &Arc::default());
    for id in ["a", "b"] {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waits"}}"#;
        servers.receive(channel.open(id, 1).unwrap().0, "toy", call);
        assert_eq!(servers.servers[0].route().calls(), 1);
        channel.cancel(id);
        assert_eq!(servers.servers[0].route().calls(), 0);
    }
    servers.close();
}
