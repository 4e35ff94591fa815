//! What servers can say besides what they must, in each revision. The harness checks each line
//! against the schema of its revision.

use serde_json::{Value, json};
use toolwright::mcp::SamplingMessage;
use toolwright::{
    Annotations, Audio, Content, Context, EmbeddedResource, Icon, IconTheme, Image, LoggingLevel,
    Prompt, PromptArgument, Resource, ResourceContents, ResourceLink, Tool, ToolRegistry,
    ToolResult,
};

use super::harness::World;
use crate::mcp::protocol::Revision;

/// Plays the same to each revision, for whose requests `ERA` stands. `META` declares a
/// model.
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
        let meta = match era {
            "legacy" => r#""_meta":{}"#,
            _ => r#""_meta":{"io.modelcontextprotocol/clientCapabilities":{"sampling":{}}}"#,
        };
        let said = world.play(&script.replace("ERA", era).replace("META", meta));
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
            Content::text("odd").annotated(odd)
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

/// The parameters of the first question, which is a request or in a result.
fn asked(said: &[Value]) -> &Value {
    let asked = said[0].get("params").or_else(|| {
        let requests = said[0]["result"]["inputRequests"].as_object()?;
        requests.values().next()?.get("params")
    });
    asked.unwrap_or_else(|| panic!("{said:?}"))
}

const LOOK: &str = r#"ERA 1 tools/call {"name":"look",META}"#;

#[test]
fn questions_for_the_model_have_pictures() {
    let look = Tool::new("look", "", by_hand(), async |_: Value, cx: Context| {
        let mut picture = Image::png(b"x");
        picture.meta.insert("example.com/a".into(), json!(1));
        let question = SamplingMessage::user("What is it?").with(picture);
        let sample = cx.sample("Look.").message(question).metadata("user", "ada");
        let sample = sample.cost_priority(7.0).speed_priority(f64::NAN).temperature(f64::NAN);
        sample.await.map(|sampled| sampled.text())
    });
    let registry = ToolRegistry::builder("toy").tool(look).build().unwrap();
    for (revision, said) in in_each(&registry, LOOK) {
        let profile = revision.profile();
        let (look, what) = (json!({"type": "text", "text": "Look."}), "What is it?");
        let what = json!({"type": "text", "text": what});
        let mut picture = json!({"type": "image", "data": "eA==", "mimeType": "image/png"});
        if profile.has_meta {
            picture["_meta"] = json!({"example.com/a": 1});
        }
        let contents = match profile.has_sampling_tools {
            true => json!([look, [what, picture]]),
            false => json!([look, what, picture]),
        };
        let contents = contents.as_array().unwrap().iter();
        let messages: Vec<_> =
            contents.map(|content| json!({"role": "user", "content": content})).collect();
        let expected = json!({
            "messages": messages, "maxTokens": 1_000, "metadata": {"user": "ada"},
            "modelPreferences": {"costPriority": 1.0}
        });
        assert_eq!(*asked(&said), expected, "{revision:?}");
    }
}

#[test]
fn questions_for_the_model_have_sound_where_the_revision_has_it() {
    let look = Tool::new("look", "", by_hand(), async |_: Value, cx: Context| {
        let sound = SamplingMessage::user(Audio::wav(b"x"));
        cx.sample("Listen.").message(sound).await.map(|sampled| sampled.text())
    });
    let registry = ToolRegistry::builder("toy").tool(look).build().unwrap();
    for (revision, said) in in_each(&registry, LOOK) {
        match revision.profile().has_audio {
            true => assert_eq!(asked(&said)["messages"][1]["content"]["type"], "audio"),
            false => {
                let text = &said[0]["result"]["content"][0]["text"];
                assert_eq!(text, "the client cannot be asked");
            }
        }
    }
}

#[test]
fn a_log_message_names_its_logger() {
    let log = Tool::new("log", "", by_hand(), async |_: Value, cx: Context| {
        cx.log_as("index", LoggingLevel::Error, "it is old");
    });
    let registry = ToolRegistry::builder("toy").tool(log).build().unwrap();
    let script =
        r#"ERA 1 tools/call {"name":"log","_meta":{"io.modelcontextprotocol/logLevel":"info"}}"#;
    for (revision, said) in in_each(&registry, script) {
        let expected = json!({"level": "error", "logger": "index", "data": "it is old"});
        assert_eq!(said[0]["params"], expected, "{revision:?}");
    }
}

#[test]
fn arguments_of_prompts_have_display_names() {
    let arguments = [
        PromptArgument::required("branch", "What to review").title("Branch"),
        PromptArgument::optional("tone", ""),
    ];
    let review = Prompt::new("review", "", arguments, async |_, _| "Review it.");
    let registry = ToolRegistry::builder("toy").prompts([review]).build().unwrap();
    for (revision, said) in in_each(&registry, "ERA 1 prompts/list") {
        let arguments = &said[0]["result"]["prompts"][0]["arguments"];
        let title = revision.profile().has_titles.then(|| json!("Branch"));
        assert_eq!(arguments[0].get("title"), title.as_ref(), "{revision:?}");
        assert_eq!(arguments[0]["description"], "What to review");
        assert_eq!(arguments[1], json!({"name": "tone", "required": false}));
    }
}

#[test]
fn links_have_icons_and_icons_have_themes() {
    let link = Tool::new("link", "", by_hand(), async |_: Value, _: Context| {
        let mut link = ResourceLink::new("file:///a.txt", "a.txt");
        link.icons.push(Icon::new("data:,x").theme(IconTheme::Dark));
        link
    });
    let link = link.with_icon(Icon::new("data:,y").size("any").theme(IconTheme::Light));
    let registry = ToolRegistry::builder("toy").tool(link).build().unwrap();
    let script = r#"ERA 1 tools/call {"name":"link"}
                    ERA 2 tools/list"#;
    for (revision, said) in in_each(&registry, script) {
        let profile = revision.profile();
        let of_link = profile.has_icons.then(|| json!([{"src": "data:,x", "theme": "dark"}]));
        let block = &said[0]["result"]["content"][0];
        assert_eq!(block.get("icons"), of_link.as_ref(), "{revision:?}");
        assert_eq!(block["type"] == "resource_link", profile.has_resource_links);
        let of_tool = json!([{"src": "data:,y", "sizes": ["any"], "theme": "light"}]);
        let of_tool = profile.has_icons.then_some(of_tool);
        let tool = &said[1]["result"]["tools"][0];
        assert_eq!(tool.get("icons"), of_tool.as_ref(), "{revision:?}");
    }
}

#[test]
fn a_theme_that_nobody_knows_is_none() {
    let icon: Icon = serde_json::from_str(r#"{"src":"data:,x","theme":"sepia"}"#).unwrap();
    assert_eq!(icon, Icon::new("data:,x"));
}

#[test]
fn a_server_says_what_it_is_and_where_more_is_said() {
    let registry = ToolRegistry::builder("toy").version("1").description("To play.");
    let registry = registry.website_url("https://example.com/toy").build().unwrap();
    let most = json!({
        "name": "toy", "version": "1", "description": "To play.",
        "websiteUrl": "https://example.com/toy"
    });
    for revision in Revision::ALL {
        let mut world = World::serving(registry.clone(), Default::default());
        let (version, profile) = (revision.profile().version, revision.profile());
        let said = world.play(&match profile.has_handshake {
            true => format!(r#"legacy 1 initialize {{"protocolVersion":"{version}"}}"#),
            false => "modern 1 server/discover".to_owned(),
        });
        let said: Value = serde_json::from_str(&said).unwrap();
        let info = said["result"]
            .get("serverInfo")
            .unwrap_or_else(|| &said["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]);
        let least = json!({"name": "toy", "version": "1"});
        assert_eq!(*info, if profile.has_icons { most.clone() } else { least }, "{version}");
    }
}
