//! A prompt is written while something else of the run goes on.

use super::*;
use crate::agent::message::Message;
use crate::agent::transport::Outgoing;
use crate::agent::turns::Relevance;

/// A run of one prompt that was sent already.
fn one_shot() -> Arc<Core> {
    let (inbox, _) = inbox::channel(usize::MAX, false);
    let core = Core::new(&AgentOptions::default(), inbox, true);
    core.prompt("1".into(), Asker::Client).unwrap();
    core
}

#[tokio::test(start_paused = true)]
async fn a_prompt_is_refused_once_the_input_is_to_be_closed() {
    let core = one_shot();
    core.lifecycle.need_us();
    core.no_more_prompts();
    assert!(!core.channel.writer.is_ended(), "there is no result");
    core.lifecycle.note(&peek(r#"{"type":"result","is_error":false}"#));
    // The moment before the driver closes the input.
    assert!(!core.channel.writer.is_ended());
    let silent = UserPrompt::text("2").extra("shouldQuery", json!(false));
    for prompt in [UserPrompt::text("2"), silent] {
        let refused = core.prompt_as(prompt, Asker::Handle, |_| ()).await;
        assert!(matches!(refused, Err(RunError::InputClosed)), "{refused:?}");
    }
    let end = tokio::time::timeout(Duration::from_secs(3600), core.lifecycle.overdue()).await;
    assert!(end.is_ok(), "the CLI may take for ever to end");
}

#[tokio::test]
async fn the_input_is_closed_behind_a_prompt_that_is_being_written() {
    let core = one_shot();
    let writer = &core.channel.writer;
    let expected = |_| {
        core.no_more_prompts();
        assert!(!writer.is_ended(), "nobody would write the prompt");
    };
    core.prompt_as("2".into(), Asker::Handle, expected).await.unwrap();
    assert!(writer.is_ended());
    let refused = core.prompt("3".into(), Asker::Handle);
    assert!(matches!(refused, Err(RunError::InputClosed)), "{refused:?}");
}

/// Keeps what is written to the CLI.
struct Keeps(Arc<std::sync::Mutex<Vec<u8>>>);

#[async_trait::async_trait]
impl Outgoing for Keeps {
    async fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }

    async fn end(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn an_interrupt_concerns_the_prompts_that_are_written_before_it() {
    let core = behind(0);
    let handle = Handle::of(core.clone());
    let mut interrupt = std::pin::pin!(handle.interrupt());
    let mut poll = || {
        let mut cx = Context::from_waker(Waker::noop());
        assert!(interrupt.as_mut().poll(&mut cx).is_pending());
    };
    let prompt = |uuid: &str| UserPrompt::text("?").uuid(uuid);
    core.prompt_as(prompt("b"), Asker::Client, |_| poll()).await.unwrap();
    poll();
    let kept = Arc::default();
    tokio::spawn(core.channel.clone().run(Box::new(Keeps(Arc::clone(&kept)))));
    core.channel.writer.end();
    while kept.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    let written = String::from_utf8(kept.lock().unwrap().clone()).unwrap();
    let at = |text| written.find(text).unwrap();
    let is_behind = at("\"interrupt\"") < at("\"uuid\":\"b\"");

    core.channel.resolve("req_1", Ok(r#"{"still_queued":[]}"#.into()));
    interrupt.await.unwrap();
    core.turns.begin("c".to_owned(), Asker::Client);
    let answer = json!({"type": "result", "user_message_uuid": "b"});
    let route = core.turns.read(&Message::parse(answer.to_string()));
    let relevance = route.client.map(|topic| core.turns.judge(topic));
    let is_delivered = relevance != Some(Relevance::Stale);
    assert_eq!(is_delivered, is_behind, "{written}");
}
