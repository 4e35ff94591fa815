//! Prompts as slash commands of the user, and resources as the model reads them. The program shows
//! both with `-p` and to SDKs too, but for what a comment says.

use serde_json::{Value, json};
use toolwright::testing::RecordedToolResult;

use super::claude::Claude;
use super::every_check::{config, row};
use super::scene::Scene;
use super::{Era, in_both_eras};
use crate::clients::Server;

in_both_eras!(prompts_and_resources_arrive, prompts_and_resources_arrive_over_http);

async fn prompts_and_resources_arrive(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut claude = scene.chat();
    commands(&scene, &mut claude).await;
    resources(&scene, &mut claude).await;
    // Resources that a user names are read in a terminal only.
    scene.say("Nothing is there.");
    claude.turn("What is in @fixture:test://static-text?").await;
    changes(&scene, &mut claude).await;
    scene.end(claude).await;

    let methods = scene.wire.methods();
    let count = |wanted: &str| methods.iter().filter(|method| *method == wanted).count();
    let [gets, reads] = ["prompts/get", "resources/read"].map(count);
    assert_eq!((gets, reads), (3, 3), "a refused command asks for nothing: {methods:?}");
    // After a change the list of resources is read once it is needed, and that of prompts never.
    let [prompts, resources] = ["prompts/list", "resources/list"].map(count);
    assert_eq!((prompts, resources), (1, 2), "{methods:?}");
    for list in ["prompts", "resources"] {
        let notified = scene.wire.notifications(&format!("notifications/{list}/list_changed"));
        assert_eq!(notified.len(), 1, "{list}");
    }
    for never in ["completion/complete", "resources/templates/list", "resources/subscribe"] {
        assert_eq!(count(never), 0, "{never}");
    }
}

async fn prompts_and_resources_arrive_over_http(era: Era) {
    let Some(scene) = Scene::open(era).await else { return };
    let mut server = Server::http(row(era, "http").flags()).await;
    let mut claude = scene.chat_with(&config(&server));
    commands(&scene, &mut claude).await;
    resources(&scene, &mut claude).await;
    claude.finish().await;
    server.ended(0).await.unwrap();
}

/// Each prompt is a command. What it says goes to the model as the message of the user.
async fn commands(scene: &Scene, claude: &mut Claude) {
    const ARGUMENTS: &str = "/mcp__fixture__test_prompt_with_arguments";
    scene.say("one").say("two").say("three");

    claude.turn(&format!("{ARGUMENTS} one \"two words\" more")).await;
    // Words end at spaces, also within quotes, and those without an argument are left out.
    assert!(heard(scene).contains(&"Prompt with arguments: arg1='one', arg2='\"two'".to_owned()));

    claude.turn("/mcp__fixture__test_prompt_with_embedded_resource test://it").await;
    let resource = "[Resource from fixture at test://it] Embedded resource content for testing.";
    let question = "Please process the embedded resource above.";
    assert_eq!(heard(scene)[1..], [resource, question]);

    claude.turn("/mcp__fixture__test_prompt_with_image").await;
    let request = scene.model.requests().pop().unwrap();
    let message = request.body()["messages"].as_array().unwrap().last().unwrap();
    let is_image = |block: &Value| block["source"]["media_type"] == "image/png";
    assert!(message["content"].as_array().unwrap().iter().any(is_image), "{message:#}");
    assert_eq!(heard(scene).last().unwrap(), "Please analyze the image above.");

    // The program refuses it without asking the server or the model.
    let refused = claude.turn(&format!("{ARGUMENTS} one")).await;
    assert!(refused.result().contains("arg2"), "{}", refused.result());
}

/// The model reads resources with two tools of the program.
async fn resources(scene: &Scene, claude: &mut Claude) {
    list(scene);
    // It does not list templates, and reads what fits them.
    for uri in ["test://template/7/data", "test://static-binary", "test://none"] {
        let input = json!({"server": "fixture", "uri": uri});
        scene.model.call("ReadMcpResourceTool", input);
    }
    scene.say("Read.");
    claude.turn("Read what there is.").await;
    let results = scene.results();
    let [listed, text, bytes, none] = results.as_slice() else { panic!("{results:#?}") };
    // Views are left out.
    let uris = ["test://static-text", "test://static-binary", "test://watched-resource"];
    assert_eq!(listed_uris(listed), uris);
    assert!(text.text.contains("Data for ID: 7"), "{}", text.text);
    assert!(bytes.text.contains("Binary content (image/png, 69 bytes) saved to "), "{bytes:?}");
    assert!(none.text.starts_with("Resource not found: test://none"), "{}", none.text);
}

/// A resource and a prompt are added while the program runs.
async fn changes(scene: &Scene, claude: &mut Claude) {
    scene.call("trigger_resource_change", json!({}));
    list(scene);
    scene.call("test_trigger_prompt_change", json!({})).say("Changed.");
    claude.turn("Change.").await;
    let results = scene.results();
    let listed = &results[results.len() - 2];
    assert!(listed_uris(listed).contains(&"test://changing".to_owned()), "{}", listed.text);

    // In a terminal it would be there at once.
    scene.say("There is no such command.");
    claude.turn("/mcp__fixture__changing_prompt").await;
    assert!(heard(scene)[0].contains("no command with that name is available"));
}

fn list(scene: &Scene) {
    scene.model.call("ListMcpResourcesTool", json!({"server": "fixture"}));
}

fn listed_uris(result: &RecordedToolResult) -> Vec<String> {
    let list: Vec<Value> = serde_json::from_str(&result.text).unwrap();
    list.iter().map(|entry| entry["uri"].as_str().unwrap().to_owned()).collect()
}

/// The texts of the last message that the model got from the user.
fn heard(scene: &Scene) -> Vec<String> {
    scene.model.requests().pop().unwrap().user_texts()
}
