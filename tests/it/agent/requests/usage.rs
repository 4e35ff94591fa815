use toolwright::testing::Reply;

use super::{Scene, connect, say, within};

#[tokio::test]
async fn usage_is_reported() {
    let Some(scene) = Scene::open().await else { return };
    let mut client = connect(scene.options().model("sonnet")).await;
    scene.model.reply(Reply::new().text("Hello.").usage(1000, 100));
    let heard = say(&mut client, "Hi.").await;
    let cost = heard.result().total_cost_usd;

    for behaviors in [false, true] {
        let report = within(client.get_usage(behaviors)).await.unwrap();
        assert_eq!(report.session.total_cost_usd, cost);
        let (model, usage) = report.session.model_usage.first_key_value().unwrap();
        assert!(model.starts_with("claude-sonnet-") && usage.output_tokens == 100, "{report:?}");
        assert!(!report.rate_limits_available && report.rate_limits.is_none(), "{report:?}");
    }
    let text = within(client.get_session_cost()).await.unwrap();
    assert!(text.contains("claude-sonnet-") && text.contains("100 output"), "{text}");
    let estimate = within(client.estimate_context_usage()).await.unwrap();
    assert!(estimate.total_tokens > 0 && !estimate.categories.is_empty(), "{estimate:?}");
    within(client.close()).await;
}
