//! What servers can say besides what they must, in each revision. The harness checks each line
//! against the schema of its revision.

use serde_json::{Value, json};
use toolwright::mcp::protocol::Text;
use toolwright::{
    Annotations, Content, Context, EmbeddedResource, Resource, ResourceContents, ResourceLink, Tool,
    ToolRegistry, ToolResult,
};

use super::harness::World;
use crate::mcp::protocol::Revision;

/// Plays the same to each revision, for whose requests `ERA` stands.
fn in_each(registry: &ToolRegistry, script: &str) -> Vec<(Revision, Vec<Value>)> {
    let play = |revision: Revision| {
        let mut world = World::serving(registry.clone(), Default::default());
        let version = revision.profile().version;
        let era = match revision.profile().has_handshake {
            true => {
                world.play(&format!(
                    r#"legacy 0 initialize {{"protocolVersion":"{version}","capabilities":{{"sampling":{{"tools":{{}}}}}}}}"#
                ));
                "legacy"
            }
            false => "modern",
        };
        let said = world.play(&script.replace("ERA", era));
        (revision, said.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    };
    Revision::ALL.into_iter().map(play).collect()
}

fn by_hand() -> Value {
    json!({"type": "object"})
}

#[test]
fn annotations_of_a_block_are_ones_that_clients_read() {
    for (priority, written) in [(7.0, Some(1.0)), (-1.0, Some(0.0)), (f64::NAN, None)] {
        let odd = Tool::new("odd", "", by_hand(), async move |_: Value, _: Context| {
            let odd = Annotations::default().priority(priority).last_modified("yesterday");
            let mut text = Text { text: "odd".to_owned(), ..Text::default() };
            text.annotations = Some(Box::new(odd));
            Content::Text(text)
        });
        let registry = ToolRegistry::builder("toy").tool(odd).build().unwrap();
        for (revision, said) in in_each(&registry, r#"ERA 1 tools/call {"name":"odd"}"#) {
            let annotations = &said[0]["result"]["content"][0]["annotations"];
            let expected = written.map_or(json!({}), |written| json!({"priority": written}));
            assert_eq!(*annotations, expected, "{revision:?}");
        }
    }
}

/// The lists of resources have encoded URIs, and links to them have the same.
#[test]
fn uris_of_links_and_contents_are_encoded() {
    let linked = Tool::new("linked", "", by_hand(), async |_: Value, _: Context| {
        let text = EmbeddedResource::text("file:///ä.txt", "text/plain", "text");
        let link = ResourceLink::new("file:///my notes/100%.txt", "notes");
        ToolResult::default().with(text).with(link).with(ResourceLink::new("a:%C3%a4", "same"))
    });
    let read = Resource::new("toy://a", "a", "", async |_, _| {
        vec![ResourceContents::blob("toy://a/<b>", b"x")]
    });
    let registry = ToolRegistry::builder("toy").tool(linked).resources([read]).build().unwrap();
    let script = r#"ERA 1 tools/call {"name":"linked"}
                    ERA 2 resources/read {"uri":"toy://a"}"#;
    for (revision, said) in in_each(&registry, script) {
        let content = &said[0]["result"]["content"];
        assert_eq!(content[0]["resource"]["uri"], "file:///%C3%A4.txt");
        if revision.profile().has_resource_links {
            assert_eq!(content[1]["uri"], "file:///my%20notes/100%25.txt");
            assert_eq!(content[2]["uri"], "a:%C3%a4");
        }
        assert_eq!(said[1]["result"]["contents"][0]["uri"], "toy://a/%3Cb%3E");
    }
}

#[test]
fn progress_may_have_no_total() {
    let count = Tool::new("count", "", by_hand(), async |_: Value, cx: Context| {
        cx.progress_of(3.0, 0.0, "files");
        cx.progress_of(4.0, 8.0, "");
    });
    let registry = ToolRegistry::builder("toy").tool(count).build().unwrap();
    let script = r#"ERA 1 tools/call {"name":"count","_meta":{"progressToken":"t"}}"#;
    for (revision, said) in in_each(&registry, script) {
        let mut of_unknown = json!({"progressToken": "t", "progress": 3.0});
        if revision.profile().has_progress_messages {
            of_unknown["message"] = "files".into();
        }
        assert_eq!(said[0]["params"], of_unknown, "{revision:?}");
        let of_known = json!({"progressToken": "t", "progress": 4.0, "total": 8.0});
        assert_eq!(said[1]["params"], of_known, "{revision:?}");
    }
}
