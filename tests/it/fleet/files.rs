//! The files with which others run the example.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::dockerfile;
use crate::peers::peer;
use crate::yaml;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/fleet");

fn text(file: &str) -> String {
    fs::read_to_string(format!("{FOLDER}/{file}")).unwrap()
}

fn documents(file: &str) -> Option<Vec<Value>> {
    yaml::documents(&format!("{FOLDER}/{file}"))
}

/// The programs that the image has: each is one that the workspace has the source of.
fn programs_of_image() -> BTreeSet<String> {
    let dockerfile = text("Dockerfile");
    let copied = dockerfile.lines().find_map(|line| line.strip_prefix("COPY --from=build "));
    let (copied, to) = copied.unwrap().rsplit_once(' ').unwrap();
    assert_eq!(to, "/usr/local/bin/");
    let name = |path: &str| {
        let path = path.strip_prefix("/src/target/release/").unwrap();
        let (source, name) = match path.strip_prefix("examples/") {
            Some(example) => (format!("../{example}.rs"), example),
            None => (format!("src/bin/{path}.rs"), path),
        };
        assert!(Path::new(FOLDER).join(&source).is_file(), "{source}");
        name.to_owned()
    };
    copied.split(' ').map(name).collect()
}

/// Sees that a worker with these variables has all that it needs, and nothing that it ignores.
fn worker_starts_with(variables: &BTreeSet<String>) {
    let source = text("src/bin/worker.rs");
    let image = text("Dockerfile");
    let set = image.lines().filter_map(|line| line.strip_prefix("ENV ")?.split('=').next());
    let all: BTreeSet<&str> = variables.iter().map(String::as_str).chain(set).collect();
    for needed in source.split("need(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(all.contains(needed), "{needed} is not set");
    }
    for variable in all {
        let is_read = source.contains(&format!("\"{variable}\""));
        // The key is for the CLI, which inherits it.
        assert!(is_read || variable == "ANTHROPIC_API_KEY", "nobody reads {variable}");
    }
}

#[test]
fn the_compose_file_names_what_there_is() {
    let Some(documents) = documents("compose.yaml") else { return };
    let [composed] = &*documents else { panic!("{documents:?}") };
    let (services, programs) = (composed["services"].as_object().unwrap(), programs_of_image());
    let worker = &services["worker"];
    let image = dockerfile::image("examples/fleet/Dockerfile", services);
    assert_eq!(image, ("toolwright-fleet", ["tools", "worker"].into()));
    let environment = worker["environment"].as_object().unwrap();
    worker_starts_with(&environment.keys().cloned().collect());
    let value = |name: &str| environment[name].as_str().unwrap();
    assert_eq!((value("NATS_URL"), value("FLEET_TOOLS")), (QUEUE, TOOLS));
    let database = services["database"]["environment"].as_object().unwrap();
    for (word, name) in [("user", "USER"), ("dbname", "DB"), ("password", "PASSWORD")] {
        let word = format!("{word}={}", database[&format!("POSTGRES_{name}")].as_str().unwrap());
        assert!(value("DATABASE_URL").contains(&word), "{word}");
    }
    assert!(value("DATABASE_URL").starts_with("host=database "));
    assert!(["queue", "database"].iter().all(|name| services.contains_key(*name)));
    tools_are_served(&services["tools"], &services["tools"]["environment"]["PUBLIC_HOST"]);
    dockerfile::builds(&text("Dockerfile"));
    assert!(text("Dockerfile").contains("CMD [\"worker\"]") && programs.contains("worker"));
    assert!(text("compose.yaml").contains("worker submit nats://") && programs.contains("submit"));
}

#[test]
fn the_manifests_of_kubernetes_name_what_there_is() {
    let Some(documents) = documents("kubernetes.yaml") else { return };
    let find = |kind: &str, name: &str| {
        let is_it = |it: &&Value| it["kind"] == kind && it["metadata"]["name"] == name;
        documents.iter().find(is_it).unwrap_or_else(|| panic!("no {kind} {name}"))
    };
    for name in ["worker", "tools"] {
        let deployment = &find("Deployment", name)["spec"];
        let labels = &deployment["template"]["metadata"]["labels"];
        assert_eq!(deployment["selector"]["matchLabels"], *labels);
        let container = &deployment["template"]["spec"]["containers"][0];
        assert_eq!(container["image"], "toolwright-fleet");
    }
    let container = |name| &find("Deployment", name)["spec"]["template"]["spec"]["containers"][0];
    let variables = |name| container(name)["env"].as_array().unwrap().iter();
    let secret = &container("worker")["envFrom"][0]["secretRef"]["name"];
    assert!(
        text("kubernetes.yaml").contains(&format!("secret generic {} ", secret.as_str().unwrap()))
    );
    let literals = text("kubernetes.yaml");
    let literals = literals.split("--from-literal=").skip(1);
    let literals = literals.map(|rest| rest.split('=').next().unwrap().to_owned());
    let named = variables("worker").map(|it| it["name"].as_str().unwrap().to_owned());
    worker_starts_with(&named.chain(literals).collect());
    let values: Vec<_> = variables("worker").map(|it| &it["value"]).collect();
    assert_eq!(values, [QUEUE, TOOLS]);

    let host = variables("tools").find(|it| it["name"] == "PUBLIC_HOST").unwrap();
    tools_are_served(container("tools"), &host["value"]);
    // The Service sends requests for a while after a pod is told to end.
    assert!(container("tools")["lifecycle"]["preStop"].is_object());
    let service = &find("Service", "tools")["spec"];
    assert_eq!(service["selector"], json!({"app": "tools"}));
    assert_eq!(service["ports"], json!([{"port": 8080}]));
}

#[test]
fn the_image_has_the_cli_that_was_tested() {
    let lock = fs::read_to_string(peer("cli/package-lock.json")).unwrap();
    let lock: Value = serde_json::from_str(&lock).unwrap();
    let version = &lock["packages"]["node_modules/@anthropic-ai/claude-code"]["version"];
    let package = format!("@anthropic-ai/claude-code@{}\n", version.as_str().unwrap());
    assert!(text("Dockerfile").contains(&package), "{package}");
}

const QUEUE: &str = "nats://queue:4222";
const TOOLS: &str = "http://tools:8080/mcp";

/// The tools are served where the workers look for them, under the name by which they ask.
fn tools_are_served(container: &Value, public_host: &Value) {
    assert_eq!(container["command"], json!(["11_replicas", "--http", "0.0.0.0:8080"]));
    assert!(programs_of_image().contains("11_replicas"));
    assert!(TOOLS.contains(&format!("//{}:8080/", public_host.as_str().unwrap())));
}
