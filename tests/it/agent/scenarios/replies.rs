//! What the model says.

use serde_json::json;
use toolwright::agent::{AgentOptionsBuilder, HookMatcher, HookOutput, Message};
use toolwright::testing::{Gate, Reply};

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

pub(super) async fn text(stage: &mut Stage) {
    stage.script([Reply::new().text("Hello.")]);
    stage.play(stage.options()).await;
}

pub(super) async fn two_turns(stage: &mut Stage) {
    stage.script([Reply::new().text("One.")]).script([add(), Reply::new().text("Two.")]);
    let mut client = stage.open(stage.calc()).await;
    stage.say(&mut client, "First").await;
    stage.say(&mut client, "Second").await;
    stage.close(client).await;
}

pub(super) async fn partial_messages(stage: &mut Stage) {
    let thought = Reply::new()
        .thinking("Two and forty.")
        .text_in_pieces(["I ", "add."])
        .call("mcp__calc__add", json!({"a": 2, "b": 40}));
    stage.script([thought, Reply::new().text_in_pieces(["It ", "is ", "42."])]);
    stage.play(stage.calc().include_partial_messages(true)).await;
}

pub(super) async fn thinking(stage: &mut Stage) {
    stage.script([Reply::new().signed_thinking("Hm.", "c2lnbmVk").text("Yes.")]);
    stage.play(stage.options()).await;
}

pub(super) async fn refusal(stage: &mut Stage) {
    stage.script([Reply::new().text("I would rather").stop_reason("refusal"), done()]);
    stage.play(stage.options()).await;
}

pub(super) async fn refused_twice(stage: &mut Stage) {
    let refusal = Reply::new().text("I would rather").stop_reason("refusal");
    stage.script([refusal.clone(), refusal.clone(), refusal]);
    stage.play(stage.options()).await;
}

pub(super) async fn refused_at_once(stage: &mut Stage) {
    stage.script([Reply::new().stop_reason("refusal"), done()]);
    stage.play(stage.options()).await;
}

pub(super) async fn subagent(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), Reply::new().text("Found.")]);
    stage.agent([add(), Reply::new().text("It is 42.")]);
    stage.play(stage.calc().tools(["Agent"]).allowed_tools(["mcp__calc__*", "Agent"])).await;
}

pub(super) async fn forwarded_subagent(stage: &mut Stage) {
    let input = json!({
        "description": "Find it", "prompt": "Find it.",
        "subagent_type": "general-purpose", "run_in_background": false,
    });
    stage.script([Reply::new().call("Agent", input), Reply::new().text("Found.")]);
    stage.agent([add().text("Adding."), Reply::new().text("It is 42.")]);
    stage.play(stage.calc().tools(["Agent"]).forward_subagent_text(true)).await;
}

pub(super) async fn long_thinking(stage: &mut Stage) {
    let thought = "Let me think about all of this for a while, and then a while longer.";
    stage.script([Reply::new().thinking(thought).text("Yes.")]);
    stage.play(stage.options()).await;
}

pub(super) async fn max_tokens(stage: &mut Stage) {
    stage.script([
        Reply::new().text("It was a dark and").stop_reason("max_tokens"),
        Reply::new().text(" stormy night."),
    ]);
    stage.play(stage.options()).await;
}

pub(super) async fn max_turns(stage: &mut Stage) {
    stage.script([add()]);
    stage.play(stage.calc().max_turns(1)).await;
}

/// An answer that is resumed is no turn of its own.
pub(super) async fn max_tokens_before_the_limit(stage: &mut Stage) {
    stage.script([Reply::new().text("It was").stop_reason("max_tokens"), add(), done()]);
    stage.play(stage.calc().max_turns(2)).await;
}

pub(super) async fn refusal_before_the_limit(stage: &mut Stage) {
    stage.script([Reply::new().text("I would rather").stop_reason("refusal"), add(), done()]);
    stage.play(stage.calc().max_turns(2)).await;
}

async fn error(stage: &mut Stage, status: u16, kind: &str, message: &str) {
    stage.fail(Reply::error(status, kind, message));
    stage.play(stage.options().env("CLAUDE_CODE_MAX_RETRIES", "0")).await;
}

pub(super) async fn rate_limit(stage: &mut Stage) {
    error(stage, 429, "rate_limit_error", "too many tokens").await;
}

pub(super) async fn overloaded(stage: &mut Stage) {
    error(stage, 529, "overloaded_error", "Overloaded").await;
}

pub(super) async fn invalid_request(stage: &mut Stage) {
    error(stage, 400, "invalid_request_error", "the model is out of sorts").await;
}

pub(super) async fn server_error(stage: &mut Stage) {
    error(stage, 500, "api_error", "Internal server error").await;
}

pub(super) async fn authentication(stage: &mut Stage) {
    error(stage, 401, "authentication_error", "invalid x-api-key").await;
}

pub(super) async fn unknown_model(stage: &mut Stage) {
    error(stage, 404, "not_found_error", "model: claude-sonnet-5-5").await;
}

pub(super) async fn forbidden(stage: &mut Stage) {
    error(stage, 403, "permission_error", "not for this key").await;
}

pub(super) async fn unpaid(stage: &mut Stage) {
    error(stage, 402, "billing_error", "no credits left").await;
}

pub(super) async fn large_request(stage: &mut Stage) {
    error(stage, 413, "request_too_large", "Request exceeds the maximum size").await;
}

pub(super) async fn long_prompt(stage: &mut Stage) {
    let message = "prompt is too long: 210000 tokens > 200000 maximum";
    error(stage, 400, "invalid_request_error", message).await;
}

pub(super) async fn retry(stage: &mut Stage) {
    stage.script([Reply::error(529, "overloaded_error", "Overloaded"), done()]);
    stage.play(stage.options()).await;
}

pub(super) async fn cut_connection(stage: &mut Stage) {
    stage.script([Reply::new().text("Hel").cut_off(), done()]);
    stage.play(stage.options()).await;
}

/// Answers that are cut off once the program has read them up to a message like this.
async fn cut_answers<const N: usize>(
    stage: &mut Stage,
    options: AgentOptionsBuilder,
    answers: [Reply; N],
    is_read: fn(&Message) -> bool,
) {
    let gates = [(); N].map(|()| Gate::new());
    let cut = answers.into_iter().zip(&gates).map(|(reply, gate)| reply.pause_at(gate).cut_off());
    stage.script(cut.chain([done()]));
    let mut client = stage.open(options).await;
    within(client.query("Go on.")).await.unwrap();
    for gate in &gates {
        stage.hear_until(&mut client, is_read).await;
        gate.open();
    }
    stage.hear_turn(&mut client).await;
    stage.close(client).await;
}

fn is_answer(message: &Message) -> bool {
    matches!(message, Message::Assistant(_))
}

pub(super) async fn cut_answer(stage: &mut Stage) {
    let options = stage.options().include_partial_messages(true);
    cut_answers(stage, options, [Reply::new().text("Hel")], is_answer).await;
}

pub(super) async fn cut_often(stage: &mut Stage) {
    let pieces = ["I ", "should ", "have said it ", "at once."];
    let answers = pieces.map(|piece| Reply::new().text(piece));
    cut_answers(stage, stage.options(), answers, is_answer).await;
}

pub(super) async fn cut_call(stage: &mut Stage) {
    // The real CLI runs a call as soon as it has read it, the other one when the answer ends.
    let is_result = |message: &Message| matches!(message, Message::User(_));
    let is_read = if stage.is_real() { is_result } else { is_answer };
    cut_answers(stage, stage.calc(), [add()], is_read).await;
}

/// The budget is used up by an answer that has a call.
pub(super) async fn budget(stage: &mut Stage) {
    stage.script([add(), dear(add()), done()]).script([done()]);
    let mut client = stage.open(with_budget(stage)).await;
    stage.say(&mut client, "Go on.").await;
    stage.say(&mut client, "And now?").await;
    stage.close(client).await;
}

/// The budget is used up by an answer that ends its turn.
pub(super) async fn budget_at_the_end(stage: &mut Stage) {
    stage.script([dear(done())]);
    stage.play(with_budget(stage)).await;
}

/// The real CLI may have begun the last call, so that calls are not noted.
fn with_budget(stage: &Stage) -> AgentOptionsBuilder {
    let (submit, stop) = (stage.asked.clone(), stage.asked.clone());
    let options = stage.calc().max_budget_usd(0.001);
    let options = options.hook(HookMatcher::user_prompt_submit(), async move |input, _| {
        submit.note(json!(input.prompt));
        HookOutput::default()
    });
    options.hook(HookMatcher::stop(), async move |_, _| {
        stop.note(json!("stop"));
        HookOutput::default()
    })
}

fn dear(reply: Reply) -> Reply {
    reply.usage(1000, 1000)
}
