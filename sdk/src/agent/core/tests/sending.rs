//! A prompt is written while something else of the run goes on.

use super::*;

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
