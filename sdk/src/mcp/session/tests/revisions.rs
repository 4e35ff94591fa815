//! What each revision has, and what takes the place of what it does not have. The harness checks
//! each line against the schema of its revision.

use expect_test::{Expect, expect};
use toolwright::mcp::{Host, Label, Link, Outbox, Session, Speech, Step};
use toolwright::{
    Annotations, Audio, Content, Context, Eras, Icon, Image, LoggingLevel, ResourceLink,
    TaskSupport, Tool, ToolRegistry, ToolResult, Value, json,
};

use super::harness::{World, check_in, request};
use crate::mcp::protocol::{Implementation, Revision};

/// Every kind of content, each with all that it can have.
fn everything() -> Tool {
    Tool::new("everything", "", json!({"type": "object"}), async |_: Value, _: Context| {
        let annotations =
            || Some(Annotations::default().priority(0.5).last_modified("2026-07-28T00:00:00Z"));
        let mut text = toolwright::mcp::protocol::Text {
            text: "text".to_owned(),
            annotations: annotations().map(Box::new),
            ..Default::default()
        };
        text.meta.get_or_insert_default().insert("example.com/a".into(), json!(1));
        let mut image = Image::png([0]);
        image.annotations = annotations();
        image.meta.insert("example.com/a".into(), json!(2));
        let mut audio = Audio::wav([0]);
        audio.annotations = annotations();
        audio.meta.insert("example.com/a".into(), json!(3));
        let mut link = ResourceLink::new("file:///a.txt", "a.txt");
        link.title = Some("A".to_owned());
        link.annotations = annotations();
        link.meta.insert("example.com/a".into(), json!(4));
        let mut resource = toolwright::EmbeddedResource::text("file:///b.txt", "text/plain", "b");
        resource.annotations = annotations();
        resource.meta.insert("example.com/a".into(), json!(5));
        let result = ToolResult::from(Content::Text(text)).with(image).with(audio).with(link);
        result.with(resource).with_meta("example.com/b", 6)
    })
}

/// A tool with all that a list can show.
fn adorned() -> Tool {
    let input = r#"{"type":"object", "properties":{"a" : {}}}"#;
    Tool::new("adorned", "It has all.", input, async |_: Value, cx: Context| {
        cx.log(LoggingLevel::Error, "logged");
        cx.progress(0.5, "half");
        ToolResult::structured(&[1])
    })
    .with_title("Adorned")
    .annotate(|hints| hints.read_only_hint = Some(true))
    .with_icon(Icon::new("https://example.com/a.png"))
    .with_meta("example.com/c", 7)
    .with_output_schema(json!({"type": "array"}))
}

fn world() -> World {
    let registry = ToolRegistry::builder("toy").version("1").title("Toys");
    let registry = registry.icon(Icon::new("data:,x"));
    World::serving(registry.tools([everything(), adorned()]).build().unwrap(), Default::default())
}

/// Plays the same to each revision.
fn check(revision: Revision, expected: Expect) {
    let version = revision.profile().version;
    let (begin, era) = match revision.profile().has_handshake {
        true => (format!(r#"legacy 1 initialize {{"protocolVersion":"{version}"}}"#), "legacy"),
        false => ("modern 1 server/discover".to_owned(), "modern"),
    };
    let meta = r#""_meta":{"progressToken":"t"}"#;
    let script = format!(
        r#"{begin}
           {era} 2 tools/list
           {era} 3 tools/call {{"name":"everything"}}
           {era} 4 tools/call {{"name":"adorned",{meta}}}
           {era} 5 tools/call {{"name":"no such"}}
           {era} 6 tools/call {{"name":7}}
           {era} 7 ping
           {era} 8 logging/setLevel {{"level":"emergency"}}
           {era} 9 tools/call {{"name":"adorned"}}
           {era} 10 no/such"#
    );
    check_in(world(), &script, expected);
}

#[test]
fn the_revision_2024_11_05() {
    check(
        Revision::V2024_11_05,
        expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
        {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"everything","inputSchema":{"type":"object"}},{"name":"adorned","description":"It has all.","inputSchema":{"type":"object", "properties":{"a" : {}}}}]}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"text","annotations":{"priority":0.5}},{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0.5}},{"type":"resource","resource":{"uri":"embedded:audio","mimeType":"audio/wav","blob":"AA=="},"annotations":{"priority":0.5}},{"type":"text","text":"a.txt: file:///a.txt","annotations":{"priority":0.5}},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"},"annotations":{"priority":0.5}}],"_meta":{"example.com/b":6}}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"logged"}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0}}
        {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"[1]"}]}}
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Unknown tool: no such. There are: everything, adorned"}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
        {"jsonrpc":"2.0","id":7,"result":{}}
        {"jsonrpc":"2.0","id":8,"result":{}}
        {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"[1]"}]}}
        {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#]],
    );
}

#[test]
fn the_revision_2025_03_26() {
    check(
        Revision::V2025_03_26,
        expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
        {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"everything","inputSchema":{"type":"object"}},{"name":"adorned","description":"It has all.","inputSchema":{"type":"object", "properties":{"a" : {}}},"annotations":{"title":"Adorned","readOnlyHint":true}}]}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"text","annotations":{"priority":0.5}},{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0.5}},{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":0.5}},{"type":"text","text":"a.txt: file:///a.txt","annotations":{"priority":0.5}},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"},"annotations":{"priority":0.5}}],"_meta":{"example.com/b":6}}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"logged"}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"half"}}
        {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"[1]"}]}}
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Unknown tool: no such. There are: everything, adorned"}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
        {"jsonrpc":"2.0","id":7,"result":{}}
        {"jsonrpc":"2.0","id":8,"result":{}}
        {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"[1]"}]}}
        {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#]],
    );
}

#[test]
fn the_revision_2025_06_18() {
    check(
        Revision::V2025_06_18,
        expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","title":"Toys","version":"1"}}}
        {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"everything","inputSchema":{"type":"object"}},{"name":"adorned","title":"Adorned","description":"It has all.","inputSchema":{"type":"object", "properties":{"a" : {}}},"outputSchema":{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]},"annotations":{"readOnlyHint":true},"_meta":{"example.com/c":7}}]}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"text","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":1}},{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":2}},{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":3}},{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","title":"A","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":4}},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"},"annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":5}}],"_meta":{"example.com/b":6}}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"logged"}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"half"}}
        {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}}
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Unknown tool: no such. There are: everything, adorned"}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
        {"jsonrpc":"2.0","id":7,"result":{}}
        {"jsonrpc":"2.0","id":8,"result":{}}
        {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}}
        {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#]],
    );
}

#[test]
fn the_revision_2025_11_25() {
    check(
        Revision::V2025_11_25,
        expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}
        {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"everything","inputSchema":{"type":"object"}},{"name":"adorned","title":"Adorned","description":"It has all.","inputSchema":{"type":"object", "properties":{"a" : {}}},"outputSchema":{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]},"annotations":{"readOnlyHint":true},"icons":[{"src":"https://example.com/a.png"}],"_meta":{"example.com/c":7}}]}}
        {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"text","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":1}},{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":2}},{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":3}},{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","title":"A","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":4}},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"},"annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":5}}],"_meta":{"example.com/b":6}}}
        {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"logged"}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"half"}}
        {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}}
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Unknown tool: no such. There are: everything, adorned"}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
        {"jsonrpc":"2.0","id":7,"result":{}}
        {"jsonrpc":"2.0","id":8,"result":{}}
        {"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}}}
        {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#]],
    );
}

#[test]
fn the_revision_2026_07_28() {
    check(
        Revision::V2026_07_28,
        expect![[r#"
        {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"logging":{},"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}}
        {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"everything","inputSchema":{"type":"object"}},{"name":"adorned","title":"Adorned","description":"It has all.","inputSchema":{"type":"object", "properties":{"a" : {}}},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"icons":[{"src":"https://example.com/a.png"}],"_meta":{"example.com/c":7}}],"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}}
        {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"text","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":1}},{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":2}},{"type":"audio","data":"AA==","mimeType":"audio/wav","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":3}},{"type":"resource_link","uri":"file:///a.txt","name":"a.txt","title":"A","annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":4}},{"type":"resource","resource":{"uri":"file:///b.txt","mimeType":"text/plain","text":"b"},"annotations":{"priority":0.5,"lastModified":"2026-07-28T00:00:00Z"},"_meta":{"example.com/a":5}}],"_meta":{"example.com/b":6,"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1.0,"message":"half"}}
        {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[{"type":"text","text":"[1]"}],"structuredContent":[1],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}}
        {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Unknown tool: no such. There are: everything, adorned"}}
        {"jsonrpc":"2.0","id":6,"error":{"code":-32602,"message":"`name` must be a string"}}
        {"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: ping"}}
        {"jsonrpc":"2.0","id":8,"error":{"code":-32601,"message":"Method not found: logging/setLevel"}}
        {"jsonrpc":"2.0","id":9,"result":{"resultType":"complete","content":[{"type":"text","text":"[1]"}],"structuredContent":[1],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","title":"Toys","version":"1","icons":[{"src":"data:,x"}]}}}}
        {"jsonrpc":"2.0","id":10,"error":{"code":-32601,"message":"Method not found: no/such"}}
    "#]],
    );
}

/// The other tests of this folder use 2025-11-25 and 2026-07-28; all their tools are listed and
/// called here in each revision with a handshake.
#[test]
fn the_toys_are_listed_and_called_in_every_revision() {
    for revision in Revision::ALL.into_iter().filter(|revision| revision.profile().has_handshake) {
        let mut world = World::new();
        let version = revision.profile().version;
        let settled =
            world.play(&format!(r#"legacy 0 initialize {{"protocolVersion":"{version}"}}"#));
        assert!(settled.contains(&format!(r#""protocolVersion":"{version}""#)), "{settled}");
        world.play(
            r#"legacy 1 tools/list
               legacy 2 tools/call {"name":"show"}
               legacy 3 tools/call {"name":"echo","arguments":{"value":[1]}}
               legacy 4 tools/call {"name":"dressed"}
               legacy 5 tools/call {"name":"squares","arguments":{"n":"x"}}
               legacy 6 tools/call {"name":"fall","arguments":{"how":"quietly"}}
               legacy 7 tools/call {"name":"speak","arguments":{"wait":true,"progress":[0.5],"log":["error"]},"_meta":{"progressToken":7}}
               time out 7
               legacy 8 tools/call {"name":"speak","arguments":{"wait":true}}
               close"#,
        );
        let whoami = World::new().play(&format!(
            "legacy 0 initialize {{\"protocolVersion\":\"{version}\"}}\nlegacy 1 tools/call {{\"name\":\"whoami\"}}"
        ));
        assert!(whoami.contains(&format!(r#"\"era\":\"{version}\""#)), "{whoami}");
    }
}

/// A call keeps the revision that it began in.
#[test]
fn another_handshake_is_for_later_requests() {
    check_in(
        World::new(),
        r#"legacy 1 initialize {"protocolVersion":"2025-06-18"}
           legacy 2 tools/call {"name":"speak","arguments":{"wait":true}}
           legacy 3 initialize {"protocolVersion":"2024-11-05"}
           legacy 4 tools/call {"name":"squares","arguments":{"n":2}}
           finish 2
           modern 5 tools/call {"name":"squares","arguments":{"n":2}}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            -
            {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2024-11-05","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"[1,4]"}]}}
            {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"spoken"}]}}
            {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"[1,4]"}],"structuredContent":[1,4],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toy","version":"1"}}}}
        "#]],
    );
}

#[test]
fn a_server_is_described_in_the_words_of_the_revision() {
    let server = Implementation {
        title: Some("Toys".to_owned()),
        description: Some("To play.".to_owned()),
        icons: vec![Icon::new("data:,x")],
        website_url: Some("https://example.com".to_owned()),
        ..Implementation::default()
    };
    let within = |revision: Revision| json!(server.within(revision.profile()));
    let least = json!({"name": "", "version": ""});
    assert_eq!(within(Revision::V2024_11_05), least);
    assert_eq!(within(Revision::V2025_03_26), least);
    let titled = json!({"name": "", "title": "Toys", "version": ""});
    assert_eq!(within(Revision::V2025_06_18), titled);
    assert_eq!(within(Revision::V2025_11_25), json!(server));
    assert_eq!(within(Revision::V2026_07_28), json!(server));
}

#[test]
fn a_host_may_know_the_revision_without_a_handshake() {
    let registry = |eras| ToolRegistry::builder("toy").version("1").eras(eras).build().unwrap();
    let mut session = session(&registry(Eras::Both));
    assert!(!session.assume("2026-07-28"), "its requests name it");
    assert!(!session.assume("1999-01-01"));
    let versions = |session: &mut Session, line: &str| {
        let mut out = Outbox::labelled();
        assert!(matches!(session.receive(line.as_bytes(), &mut out), Step::Idle));
        let labels = out.messages().map(|(label, _)| label.clone());
        let versions = labels.map(|label| match label {
            Label::Response { version, error, .. } => (version, error),
            label => panic!("{label:?}"),
        });
        versions.collect::<Vec<_>>()
    };
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert_eq!(versions(&mut session, ping), [("2025-11-25", None)]);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        assert!(session.assume(version));
        assert_eq!(versions(&mut session, ping), [(version, None)]);
        let unknown = r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#;
        assert_eq!(versions(&mut session, unknown), [(version, Some(-32601))]);
        let broken = r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#;
        assert_eq!(versions(&mut session, broken), [(version, Some(-32700))]);
        let list = request("1 tools/list", true);
        assert_eq!(versions(&mut session, &list), [("2026-07-28", None)]);
        let ping = request("1 ping", true);
        assert_eq!(versions(&mut session, &ping), [("2026-07-28", Some(-32601))]);
        let discover = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
        assert_eq!(versions(&mut session, discover), [("2026-07-28", Some(-32602))]);
    }
    let mut session = self::session(&registry(Eras::Modern));
    assert!(!session.assume("2025-03-26"));
    assert_eq!(versions(&mut session, ping), [("2026-07-28", Some(-32602))]);
    let broken = r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#;
    assert_eq!(versions(&mut session, broken), [("2026-07-28", Some(-32700))]);
}

fn session(registry: &ToolRegistry) -> Session {
    struct Nobody;
    impl Link for Nobody {
        fn speak(&self, _: Speech<'_>) {}
    }
    Session::new(registry, Host::InProcess, std::sync::Weak::<Nobody>::new())
}

#[test]
fn a_tool_that_must_be_a_task_is_refused_in_words_of_revisions_without_the_extension() {
    let tool = Tool::new("must", "", json!({"type": "object"}), async |_: Value, _: Context| "");
    let tool = tool.with_task(TaskSupport::Required);
    check_in(
        World::with(|builder| builder.tool(tool)),
        r#"legacy 1 initialize {"protocolVersion":"2025-11-25"}
           legacy 2 tools/call {"name":"must"}"#,
        expect![[r#"
            {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{},"tools":{"listChanged":true}},"serverInfo":{"name":"toy","version":"1"}}}
            {"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid request: it needs the extension io.modelcontextprotocol/tasks, which MCP 2025-11-25 does not have"}}
        "#]],
    );
}
