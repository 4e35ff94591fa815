//! A CLI that dies in a turn, or ends it badly.

use std::time::Instant;

use serde_json::json;
use toolwright::agent::{ControlError, RunError, UserPrompt, query};

use super::fake::Fake;
use super::turns::{A, B, of};
use super::{Heard, SHORT, TOO_LONG, error_result, says, within};

fn status(heard: &Heard) -> Option<i32> {
    match &heard.error {
        Some(RunError::Process(exit)) => exit.status.and_then(|status| status.code()),
        None => None,
        Some(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn a_cli_that_dies_in_a_turn_fails_the_run_behind_what_it_said() {
    let fake = Fake::initialized()
        .then("user")
        .say(says("I am"))
        .with("stderr", "killed by hand\n")
        .with("exit", 137);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!((heard.text().as_str(), status(&heard)), ("I am", Some(137)));
    assert!(heard.error.unwrap().to_string().ends_with("killed by hand"));
    fake.is_gone().await;

    let mut client = fake.connect().await;
    client.query("Go.").await.unwrap();
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.text().as_str(), status(&heard)), ("I am", Some(137)));
    assert!(within(client.next_response()).await.is_none());
    assert!(matches!(client.query("Go on.").await, Err(RunError::Process(_))));
    fake.is_gone().await;
}

#[tokio::test]
async fn finish_tells_of_a_cli_that_dies() {
    let fake = Fake::initialized().then("user").with("exit", 1);
    assert!(matches!(within(fake.query().await.finish()).await, Err(RunError::Process(_))));
    let fake = Fake::initialized().then("user").with("exit", 0);
    assert!(matches!(within(fake.query().await.finish()).await, Err(RunError::NoResult)));
}

#[tokio::test]
async fn an_error_result_and_the_status_after_it_are_one_failure() {
    let fake = Fake::initialized().then("user").say(error_result()).then("end").with("exit", 1);
    let mut run = fake.query().await;
    let heard = Heard::of(&mut run).await;
    assert!(heard.error.is_none(), "{heard:?}");
    assert!(matches!(heard.results()[..], [result] if result.is_error));
    assert_eq!(
        run.handle().exit().and_then(|exit| exit.status).and_then(|status| status.code()),
        Some(1),
        "it is known all the same"
    );
    let error = within(fake.query().await.finish()).await.unwrap_err();
    assert!(
        matches!(&error, RunError::ErrorResult { subtype, text, .. } if subtype == "error_during_execution" && text == "it broke")
    );
    fake.is_gone().await;
}

#[tokio::test]
async fn an_error_result_explains_no_later_death() {
    let fake =
        Fake::initialized().then("user").say(error_result()).say(says("I go on")).with("exit", 1);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!(status(&heard), Some(1));

    let fake = Fake::initialized().then("user").say(error_result()).then("user").with("exit", 1);
    let mut client = fake.connect().await;
    client.query("Go.").await.unwrap();
    assert!(Heard::of_turn(&mut client).await.error.is_none());
    client.query("Go on.").await.unwrap();
    let heard = Heard::of_turn(&mut client).await;
    assert_eq!((heard.results().len(), status(&heard)), (0, Some(1)), "the second turn has failed");
    fake.is_gone().await;
}

#[tokio::test]
async fn an_error_result_explains_the_death_of_no_prompt_behind_it() {
    let begins = json!({"type": "system", "subtype": "init"});
    for said in [None, Some(begins)] {
        let fake = Fake::initialized().then("user").then("user");
        let fake = fake.say(of(Some(A), error_result()));
        let fake = said.into_iter().fold(fake, Fake::say).with("exit", 1);

        let client = fake.connect().await;
        let (a, b) = (UserPrompt::text("Go.").uuid(A), UserPrompt::text("Go on.").uuid(B));
        let (a, b) = (client.ask(a).await.unwrap(), client.ask(b).await.unwrap());
        assert!(matches!(within(a.finish()).await, Err(RunError::ErrorResult { .. })));
        let error = within(b.finish()).await.unwrap_err();
        assert!(matches!(&error, RunError::Process(_)), "{error}");

        let mut client = fake.connect().await;
        client.query(UserPrompt::text("Go.").uuid(A)).await.unwrap();
        client.query(UserPrompt::text("Go on.").uuid(B)).await.unwrap();
        assert!(Heard::of_turn(&mut client).await.error.is_none());
        assert_eq!(status(&Heard::of_turn(&mut client).await), Some(1));
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn a_bad_status_after_a_good_result_is_told_behind_it() {
    let fake = Fake::initialized().turn([says("hi")]).then("end").with("exit", 5);
    let heard = Heard::of(&mut fake.query().await).await;
    assert_eq!((heard.results().len(), status(&heard)), (1, Some(5)));
    fake.is_gone().await;
}

#[tokio::test]
async fn requests_fail_at_once_when_the_cli_ends_whatever_its_status() {
    for code in [0, 1] {
        let fake = Fake::initialized()
            .with("control", "set_model")
            .with("control", "mcp_status")
            .with("exit", code);
        let client = fake.connect().await;
        let since = Instant::now();
        let handle = client.handle();
        let (model, status) =
            within(async { tokio::join!(client.set_model(Some("opus")), handle.mcp_status()) })
                .await;
        for (error, expected) in
            [(model.unwrap_err(), "set_model"), (status.unwrap_err(), "mcp_status")]
        {
            let ControlError::Closed { subtype, exit } = error else { panic!("{error:?}") };
            assert_eq!(
                (subtype.as_str(), exit.status.and_then(|status| status.code())),
                (expected, Some(code))
            );
        }
        // The timeout of a request is 60 s.
        assert!(since.elapsed() < TOO_LONG / 2);
        let error = within(client.interrupt()).await.unwrap_err();
        assert!(matches!(error, ControlError::Closed { .. }), "later requests fail as well");
        fake.is_gone().await;
    }
}

#[tokio::test]
async fn requests_of_a_run_whose_input_is_closed_fail_at_once() {
    // Nothing asks this run back, so its input is closed behind the prompt.
    let fake = Fake::initialized().then("user").then("end").say(says("late")).then("sleep");
    let mut run = within(query(
        "Go.",
        fake.options().close_grace(SHORT).terminate_grace(SHORT).build().unwrap(),
    ))
    .await
    .unwrap();
    assert!(matches!(within(run.next()).await, Some(Ok(_))));
    let since = Instant::now();
    let error =
        within(run.handle().request("set_model", json!({"model": "opus"}))).await.unwrap_err();
    assert!(matches!(&error, ControlError::InputClosed { subtype } if subtype == "set_model"));
    assert!(error.to_string().ends_with("the input of the claude program is closed"), "{error}");
    // The timeout of a request is 60 s, and the CLI still runs.
    let handle = run.handle();
    assert!(since.elapsed() < TOO_LONG / 2 && handle.exit().is_none());
    within(run.close()).await;
    let error = within(handle.interrupt()).await.unwrap_err();
    assert!(matches!(error, ControlError::Closed { .. }), "{error:?}");
    fake.is_gone().await;
}
