//! The commands with which the images of examples are built.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Map, Value, json};

const MANIFEST: &str = include_str!("../../examples/Cargo.toml");

/// Each example that the Dockerfile builds gets the features without which cargo refuses it.
pub(crate) fn builds(dockerfile: &str) {
    let mut examples = 0;
    for command in dockerfile.split("cargo build ").skip(1) {
        let command = command.split(['\n', '&']).next().unwrap();
        let words: Vec<&str> = command.split_whitespace().collect();
        let value = |name| words.iter().skip_while(|word| **word != name).nth(1).copied();
        let Some(example) = value("--example") else { continue };
        let required = required_features(example);
        assert_eq!(value("--features").map(str::to_owned), required, "{command}");
        examples += 1;
    }
    assert!(examples > 0, "it builds no example");
}

/// The image that one of the services builds of a Dockerfile, and the services that have it. If
/// several built it at once, each would find a name that the other has taken.
pub(crate) fn image<'a>(
    dockerfile: &str,
    services: &'a Map<String, Value>,
) -> (&'a str, BTreeSet<&'a str>) {
    let build = json!({"context": "../..", "dockerfile": dockerfile});
    let built: Vec<_> = services.values().filter_map(|service| service.get("build")).collect();
    assert_eq!(built, [&build]);
    let builder = services.values().find(|service| service.get("build").is_some());
    let image = &builder.unwrap()["image"];
    let named = services.iter().filter(|(_, service)| service["image"] == *image);
    (image.as_str().unwrap(), named.map(|(name, _)| &**name).collect())
}

fn required_features(example: &str) -> Option<String> {
    let name = format!("name = \"{example}\"\n");
    let entry = MANIFEST.split("[[example]]").find(|entry| entry.contains(&name));
    let entry = entry.unwrap_or_else(|| panic!("there is no example {example}"));
    let (_, features) = entry.split_once("required-features = [\"")?;
    Some(features.split('"').next().unwrap().to_owned())
}

/// The context is the whole repository, in which the page of the examples makes a key.
#[test]
fn no_image_is_built_with_a_key() {
    for example in ["11_replicas", "fleet"] {
        let folder = format!("{}/../examples/{example}", env!("CARGO_MANIFEST_DIR"));
        let ignored = fs::read_to_string(format!("{folder}/Dockerfile.dockerignore")).unwrap();
        let has_key = ignored.lines().any(|line| line == "examples/11_replicas/session.key");
        assert!(has_key, "{example}");
    }
}
