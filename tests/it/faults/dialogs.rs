//! Dialogs: shown, left to others, withdrawn.

use serde_json::json;
use tokio::sync::mpsc;
use toolwright::agent::{AgentOptionsBuilder, DialogRequest, query};

use super::fake::Fake;
use super::{Heard, Report, hook, result, within};

fn dialog(kind: &str) -> serde_json::Value {
    json!({"subtype": "request_user_dialog", "dialog_kind": kind, "payload": {"of": [1, 2]}})
}

async fn report(
    steps: impl FnOnce(Fake) -> Fake,
    options: impl FnOnce(AgentOptionsBuilder) -> AgentOptionsBuilder,
) -> Report {
    let fake = steps(Fake::initialized().then("user")).then("report").say(result());
    let options = options(fake.options()).build().unwrap();
    let mut run = within(query("Go.", options)).await.unwrap();
    let heard = Heard::of(&mut run).await;
    assert!(heard.error.is_none(), "{heard:?}");
    fake.is_gone().await;
    heard.report()
}

#[tokio::test]
async fn those_of_a_known_kind_are_answered_and_others_are_left_to_others() {
    let show = async |dialog: DialogRequest| match dialog.dialog_kind.as_str() {
        "pick" => Ok(dialog.complete(json!({"picked": dialog.payload.to_value()["of"][1]}))),
        "fail" => Err("there is no screen".into()),
        "panic" => panic!("a bug"),
        _ => Ok(dialog.cancel()),
    };
    let kinds = ["pick", "close", "fail", "panic"];
    let report = report(
        |fake| {
            let fake = kinds.iter().fold(fake, |fake, kind| fake.asks(kind, dialog(kind)));
            let broken = json!({"subtype": "request_user_dialog", "dialog_kind": 5});
            fake.ask("other", dialog("other")).ask("broken", broken).asks("barrier", hook(0))
        },
        |options| options.on_user_dialog(kinds, show),
    )
    .await;
    let picked = json!({"behavior": "completed", "result": {"picked": 2}});
    assert_eq!(report.answer("pick")["response"], picked);
    // The CLI discards an error, and waits on.
    for kind in ["close", "fail", "panic"] {
        assert_eq!(report.answer(kind)["response"], json!({"behavior": "cancelled"}), "{kind}");
    }
    assert_eq!((report.answers("other").len(), report.answers("broken").len()), (0, 0));
}

#[tokio::test]
async fn a_dialog_is_withdrawn() {
    let (sender, mut withdrawn) = mpsc::unbounded_channel();
    let show = move |dialog: DialogRequest| {
        // It says so, and its future is dropped.
        let told = dialog.withdrawn.clone();
        let sender = sender.clone();
        let waits = dialog.dialog_kind == "pick";
        if waits {
            tokio::spawn(async move {
                told.cancelled().await;
                let _ = sender.send(());
            });
        }
        async move {
            if waits {
                std::future::pending::<()>().await;
            }
            dialog.cancel()
        }
    };
    let cancel = json!({"type": "control_cancel_request", "request_id": "d"});
    let report = report(
        // The first has begun when the second is answered.
        |fake| {
            let fake = fake.ask("d", dialog("pick")).asks("next", dialog("close"));
            fake.say(cancel).asks("barrier", hook(0))
        },
        |options| options.on_user_dialog(["pick", "close"], show),
    )
    .await;
    within(withdrawn.recv()).await.unwrap();
    assert_eq!(report.answers("d").len(), 0);
}
