//! What comes of a run: typed output, texts, costs, and messages as they came.

use serde_json::json;
use toolwright::agent::message::{OutputError, Prices};
use toolwright::agent::{AgentClient, Message, query};
use toolwright::data;
use toolwright::testing::Reply;

use super::calc;
use super::scene::{Scene, all, say, within};

#[data]
#[derive(Debug, PartialEq)]
struct Verdict {
    approve: bool,
}

#[tokio::test]
async fn an_output_has_a_type() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.call("StructuredOutput", json!({"approve": true})).say("Done.");
    let options = scene.options().output_type::<Verdict>().build().unwrap();
    let result = within(query("Is 42 good?", options).await.unwrap().finish()).await.unwrap();
    assert_eq!(result.output::<Verdict>().unwrap(), Verdict { approve: true });
    let error = result.output::<u8>().unwrap_err();
    assert!(matches!(error, OutputError::Mismatch { .. }), "{error}");
}

#[tokio::test]
async fn a_model_that_never_complies_is_an_error() {
    let Some(scene) = Scene::open().await else { return };
    scene.model.reply_ever_after(Reply::new().text("I would say so."));
    let options = scene.options().output_type::<Verdict>().build().unwrap();
    let mut run = within(query("Is 42 good?", options)).await.unwrap();
    let heard = all(&mut run).await;
    let error = heard.result().output::<Verdict>().unwrap_err();
    let is_told = matches!(error, OutputError::Failed { .. } | OutputError::Missing { .. });
    assert!(is_told, "{error:?}");

    let Some(scene) = Scene::open().await else { return };
    let wrong = Reply::new().call("StructuredOutput", json!({"approve": "maybe"}));
    scene.model.reply_ever_after(wrong);
    let options = scene.options().output_type::<Verdict>().build().unwrap();
    let mut run = within(query("Is 42 good?", options)).await.unwrap();
    let heard = all(&mut run).await;
    let error = heard.result().output::<Verdict>().unwrap_err();
    let OutputError::Failed { subtype, .. } = &error else { panic!("{error:?}") };
    assert_eq!(subtype, "error_max_structured_output_retries");
}

#[tokio::test]
async fn texts_come_without_the_rest_and_messages_as_they_came() {
    let Some(scene) = Scene::open().await else { return };
    let options = || {
        let options = scene.options().mcp_server(calc::registry());
        options.allowed_tools(["mcp__calc__*"]).build().unwrap()
    };
    let add = Reply::new().text("I add.").call("mcp__calc__add", json!({"a": 2, "b": 40}));
    scene.model.reply(add.clone()).say("It is 42.");
    let mut run = within(query("What is 2 + 40?", options())).await.unwrap();
    let mut texts = run.texts();
    let mut seen = Vec::new();
    while let Some(text) = within(texts.next()).await {
        seen.push(text.unwrap());
    }
    assert_eq!(seen, ["I add.", "It is 42."]);

    scene.model.reply(add).say("It is 42.");
    let mut run = within(query("What is 2 + 40?", options())).await.unwrap();
    let heard = all(&mut run).await;
    for message in heard.messages() {
        assert_eq!(serde_json::to_string(message).unwrap(), message.raw());
        if let Message::Result(result) = message {
            assert_eq!(serde_json::to_string(result).unwrap(), message.raw());
        }
    }
    assert!(heard.result().is_success());
}

#[tokio::test]
async fn the_price_list_is_that_of_the_cli() {
    let Some(scene) = Scene::open().await else { return };
    let prices = Prices::default();
    for model in ["opus", "fable", "sonnet", "haiku"] {
        let options = scene.options().model(model).build().unwrap();
        let mut client = within(AgentClient::connect(options)).await.unwrap();
        let mut before = 0.0;
        // The second is a long one.
        for (sent, received) in [(1234, 567), (150_000, 89)] {
            scene.model.reply(Reply::new().text("Hello.").usage(sent, received));
            let heard = say(&mut client, "Hi.").await;
            let result = heard.result();
            let cost = result.total_cost_usd - before;
            before = result.total_cost_usd;
            let (name, _) = result.model_usage.first_key_value().unwrap();
            let estimate = prices.estimate(name, &result.usage).unwrap();
            assert!((estimate - cost).abs() < 1e-9, "{name}: {estimate} and {cost}");
        }
        within(client.close()).await;
    }
}
