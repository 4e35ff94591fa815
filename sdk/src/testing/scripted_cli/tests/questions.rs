//! Questions of in-process servers, which this program answers and the CLI never sees.

use std::future::{Future, pending};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify, mpsc, oneshot};

use super::{play, response, result};
use crate::agent::elicitation::ElicitationKind;
use crate::agent::{
    AgentClient, AgentOptions, AgentOptionsBuilder, ElicitationAnswer, ElicitationRequest,
};
use crate::testing::{Recorder, ScriptedCli};
use crate::{Context, IntoOutput, Tool, ToolRegistry};

/// Asks the client, and gives the text of its answer or the error.
async fn ask(cx: &Context, method: &'static str, params: &Value) -> String {
    let members = params.to_string();
    let members = &members.as_bytes()[1..members.len() - 1];
    let mut write = |out: &mut Vec<u8>| out.extend_from_slice(members);
    match cx.ask(method, &mut write).await {
        Ok(answer) => answer.into_string(),
        Err(error) => error.to_string(),
    }
}

async fn elicit(cx: &Context, message: &str) -> String {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    let params = json!({"message": message, "requestedSchema": schema});
    ask(cx, "elicitation/create", &params).await
}

/// A turn that calls the tool `ask`, which does this.
fn asking<F, Fut, O, K>(handler: F) -> (ScriptedCli, AgentOptionsBuilder)
where
    F: FnOnce(Value, Context) -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = O> + Send + 'static,
    O: IntoOutput<K> + 'static,
    K: 'static,
{
    let tool = Tool::new("ask", "", json!({"type": "object"}), handler);
    let registry = ToolRegistry::builder("shop").tool(tool).build().unwrap();
    let options = AgentOptions::builder().mcp_server(registry).allowed_tools(["mcp__shop__*"]);
    let cli = ScriptedCli::new().turn(|turn| turn.call("mcp__shop__ask", json!({})).say_result());
    (cli, options)
}

/// What the tool gets whose question this callback answers, if there is one.
async fn answer_of(
    callback: Option<fn(ElicitationRequest) -> ElicitationAnswer>,
) -> (Recorder, String) {
    let (cli, options) = asking(async |_: Value, cx: Context| elicit(&cx, "Who?").await);
    let options = match callback {
        Some(callback) => {
            options.on_elicitation(move |question| std::future::ready(callback(question)))
        }
        None => options,
    };
    let (seen, result) = play(cli, options).await;
    let text = result.text().into_owned();
    (seen, text)
}

#[tokio::test]
async fn the_tool_gets_what_the_callback_answers() {
    let accepts = |question: ElicitationRequest| {
        assert_eq!(question.message, "Who?");
        question.accept(json!({"name": question.mcp_server_name}))
    };
    let (seen, answer) = answer_of(Some(accepts)).await;
    assert_eq!(answer, r#"{"action":"accept","content":{"name":"shop"}}"#);
    let transcript = seen.transcript();
    assert!(!transcript.contains("elicitation"), "{transcript}");
    let (_, answer) = answer_of(Some(|question| question.decline())).await;
    assert_eq!(answer, r#"{"action":"decline"}"#);
}

#[tokio::test]
async fn a_page_is_opened_and_a_question_without_fields_confirmed() {
    let (cli, options) = asking(async |_: Value, cx: Context| {
        cx.elicit_url("Pay.", "https://a.example/pay").await?.accepted()?;
        cx.confirm("Sure?").await.map(|is_sure| format!("sure: {is_sure}"))
    });
    let options = options.on_elicitation(|question| async move {
        match &question.kind {
            ElicitationKind::Url { url, .. } if url == "https://a.example/pay" => question.agree(),
            ElicitationKind::Form { property_order, .. } if property_order.is_empty() => {
                question.agree()
            }
            _ => question.decline(),
        }
    });
    assert_eq!(play(cli, options).await.1.text(), "sure: true");
}

#[tokio::test]
async fn nobody_to_answer_is_a_cancellation() {
    let cancelled = r#"{"action":"cancel"}"#;
    assert_eq!(answer_of(None).await.1, cancelled);
    assert_eq!(answer_of(Some(|question| question.cancel())).await.1, cancelled);
    assert_eq!(answer_of(Some(|question| question.accept("no object"))).await.1, cancelled);
    assert_eq!(answer_of(Some(|_| panic!("a panic that the test asked for"))).await.1, cancelled);
}

#[tokio::test]
async fn the_client_that_a_tool_sees_is_this_program() {
    let (cli, options) = asking(async |_: Value, cx: Context| {
        let capabilities = Value::from(cx.client_capabilities().clone());
        let roots = ask(&cx, "roots/list", &json!({})).await;
        let sampled = ask(&cx, "sampling/createMessage", &json!({"messages": []})).await;
        format!("{capabilities}\n{roots}\n{sampled}")
    });
    let (seen, result) = play(cli, options.cwd("/")).await;
    assert_eq!(
        result.text().lines().collect::<Vec<_>>(),
        [
            r#"{"elicitation":{"form":{},"url":{}},"roots":{}}"#,
            r#"{"roots":[{"uri":"file:///"}]}"#,
            "the client refused: sampling/createMessage is not supported (-32601)",
        ]
    );
    let transcript = seen.transcript();
    assert!(!transcript.contains("roots/list"), "{transcript}");
}

#[tokio::test]
async fn two_questions_are_open_at_once() {
    let both = Arc::new(Barrier::new(2));
    let (cli, options) = asking(async |_: Value, cx: Context| {
        let (one, two) = tokio::join!(elicit(&cx, "One?"), elicit(&cx, "Two?"));
        one + &two
    });
    let options = options.on_elicitation(move |question| {
        let both = both.clone();
        async move {
            both.wait().await;
            question.accept(json!({"to": question.message}))
        }
    });
    let expected = concat!(
        r#"{"action":"accept","content":{"to":"One?"}}"#,
        r#"{"action":"accept","content":{"to":"Two?"}}"#
    );
    assert_eq!(play(cli, options).await.1.text(), expected);
}

#[tokio::test]
async fn a_tool_may_ask_from_a_runtime_of_its_own() {
    let (cli, options) = asking(async |_: Value, cx: Context| {
        let (sender, answer) = oneshot::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            sender.send(runtime.block_on(elicit(&cx, "Who?"))).unwrap();
        });
        answer.await.unwrap()
    });
    let options = options.on_elicitation(|question| async move {
        // It needs timers, which the tool's runtime does not have.
        tokio::time::sleep(Duration::ZERO).await;
        question.decline()
    });
    assert_eq!(play(cli, options).await.1.text(), r#"{"action":"decline"}"#);
}

/// Tells when it is dropped.
struct Guard(mpsc::UnboundedSender<&'static str>);

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

/// A callback that never answers, and what happens to it.
fn endless(options: AgentOptionsBuilder) -> (AgentOptions, mpsc::UnboundedReceiver<&'static str>) {
    let (events, heard) = mpsc::unbounded_channel();
    let options = options.on_elicitation(move |_| {
        let guard = Guard(events.clone());
        async move {
            guard.0.send("began").unwrap();
            let _guard = guard;
            pending::<ElicitationAnswer>().await
        }
    });
    (options.build().unwrap(), heard)
}

#[tokio::test]
async fn an_interrupt_withdraws_a_question() {
    let (cli, options) = asking(async |_: Value, cx: Context| elicit(&cx, "Who?").await);
    let (options, mut heard) = endless(options);
    let cli = cli.turn(|turn| turn.say("Hello."));
    let seen = cli.seen();
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    client.query("one").await.unwrap();
    assert_eq!(heard.recv().await, Some("began"));
    client.interrupt().await.unwrap();
    assert_eq!(heard.recv().await, Some("dropped"));
    assert_eq!(result(&response(&mut client).await).subtype, "error_during_execution");
    client.query("two").await.unwrap();
    assert_eq!(result(&response(&mut client).await).text(), "Hello.");
    client.close().await;
    let transcript = seen.transcript();
    assert!(!transcript.contains("SDK shop: notifications/cancelled"), "{transcript}");
}

#[tokio::test]
async fn a_tool_withdraws_a_question_whose_answer_it_does_not_need() {
    let [began, dropped] = [Arc::new(Notify::new()), Arc::new(Notify::new())];
    let (has_begun, is_dropped) = (began.clone(), dropped.clone());
    let (cli, options) = asking(async move |_: Value, cx: Context| {
        tokio::select! {
            answer = elicit(&cx, "Who?") => return answer,
            () = has_begun.notified() => {}
        }
        is_dropped.notified().await;
        "withdrawn".to_owned()
    });
    let options = options.on_elicitation(move |question| {
        let (began, dropped) = (began.clone(), Rings(dropped.clone()));
        async move {
            began.notify_one();
            question.withdrawn.cancelled().await;
            let _dropped = dropped;
            pending::<ElicitationAnswer>().await
        }
    });
    let (seen, result) = play(cli, options).await;
    assert_eq!(result.text(), "withdrawn");
    let transcript = seen.transcript();
    assert!(!transcript.contains("SDK shop: notifications/cancelled"), "{transcript}");
}

/// Notifies when it is dropped.
struct Rings(Arc<Notify>);

impl Drop for Rings {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

#[tokio::test]
async fn the_end_of_the_run_stops_a_callback() {
    let (cli, options) = asking(async |_: Value, cx: Context| elicit(&cx, "Who?").await);
    let (options, mut heard) = endless(options);
    let mut client = AgentClient::connect_with(cli, options).await.unwrap();
    client.query("one").await.unwrap();
    assert_eq!(heard.recv().await, Some("began"));
    client.close().await;
    // It is gone when `close` returns.
    assert_eq!(heard.try_recv(), Ok("dropped"));
}

/// Each question is withdrawn about when it is answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_goes_to_another_question() {
    let (cli, options) = asking(async |_: Value, cx: Context| {
        for round in 0..1_000 {
            let message = round.to_string();
            let yields = async {
                for _ in 0..round % 8 {
                    tokio::task::yield_now().await;
                }
            };
            tokio::select! {
                biased;
                answer = elicit(&cx, &message) => {
                    let expected = json!({"action": "accept", "content": {"to": message}});
                    assert_eq!(answer, expected.to_string());
                }
                () = yields => {}
            }
        }
        elicit(&cx, "last").await
    });
    let options = options.on_elicitation(|question| async move {
        tokio::task::yield_now().await;
        question.accept(json!({"to": question.message}))
    });
    let answer = r#"{"action":"accept","content":{"to":"last"}}"#;
    assert_eq!(play(cli, options).await.1.text(), answer);
}
