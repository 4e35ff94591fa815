//! The example with three replicas, as its files describe it.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;
use tokio::process::Command;

use super::proxy::CONFIGURATION;
use super::{Client, Era, Proxy, Redis, Replica};
use crate::cli::Folder;
use crate::dockerfile;
use crate::examples::programs;
use crate::yaml;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/11_replicas");

#[tokio::test]
async fn the_files_of_the_example_agree_and_its_replicas_serve_by_turns() {
    let Some(documents) = yaml::documents(&format!("{FOLDER}/compose.yaml")) else { return };
    let [composed] = &*documents else { panic!("{documents:?}") };
    let Some(redis) = Redis::start().await else { return };
    let services = composed["services"].as_object().unwrap();
    let folder = Folder::create();
    let key = folder.path().join("key");
    fs::write(&key, [7; 32]).unwrap();

    let mut replicas = Vec::new();
    for (name, service) in services {
        if !name.starts_with("replica-") {
            continue;
        }
        assert_eq!(service["hostname"], **name);
        let words: Vec<_> = service["command"].as_array().unwrap().iter().collect();
        let [http, address, bus, url] = *words else { panic!("{words:?}") };
        assert_eq!((http, bus), (&json!("--http"), &json!("--bus")));
        let port = address.as_str().unwrap().strip_prefix("0.0.0.0:").unwrap();
        assert!(CONFIGURATION.contains(&format!("server {name}:{port} max_fails=0;\n")), "{name}");
        let host = url.as_str().unwrap().strip_prefix("redis://").unwrap();
        assert!(services.contains_key(host.strip_suffix(":6379").unwrap()));
        let variables = service["environment"].as_object().unwrap();
        assert!(["PUBLIC_HOST", "SESSION_KEY_FILE"].iter().all(|it| variables.contains_key(*it)));

        let mut command = Command::new(&programs()["11_replicas"]);
        command
            .env_clear()
            .env("SESSION_KEY_FILE", &key)
            .env("PUBLIC_HOST", "mcp.example.com")
            .env("HOSTNAME", name);
        replicas.push(Replica::start(command, Some(&redis.url())).await);
    }
    assert_eq!(replicas.len(), CONFIGURATION.matches("    server replica-").count());
    assert_eq!(services["proxy"]["ports"], json!(["8080:80"]));
    assert!(CONFIGURATION.contains("    listen 80;\n"));
    let volume = services["proxy"]["volumes"][0].as_str().unwrap();
    assert!(volume.starts_with("./nginx.conf:/etc/nginx/conf.d/"), "{volume}");
    let (image, named) = dockerfile::image("examples/11_replicas/Dockerfile", services);
    assert_eq!((image, named.len()), ("toolwright-replica", replicas.len()));
    dockerfile::builds(&fs::read_to_string(format!("{FOLDER}/Dockerfile")).unwrap());

    let Some(proxy) = Proxy::start(&replicas).await else { return };
    let mut client = Client::new(&proxy.address);
    client.host = "mcp.example.com";
    let session = client.begin().await;
    for era in [Era::Modern, Era::Session(&session)] {
        let mut named = BTreeSet::new();
        for _ in 0..replicas.len() {
            named.insert(client.call(era, "replica", json!({})).await);
        }
        assert_eq!(named, ["replica-1", "replica-2", "replica-3"].map(str::to_owned).into());
    }
    client.host = "evil.example.com";
    let refused = client.ask(Era::Modern, "tools/list", json!({})).await.unwrap();
    assert_eq!(refused.status, 403);
}
