use serde_json::{Value, json};

use super::*;

fn events(messages: impl IntoIterator<Item = Value>) -> Vec<Event> {
    let mut events = Events::default();
    let numbered = messages.into_iter().zip(1..);
    numbered
        .flat_map(|(message, second)| {
            events.read(&Message::parse(message.to_string()), Duration::from_secs(second))
        })
        .collect()
}

fn streamed(agent: Option<&str>, event: Value) -> Value {
    json!({"type": "stream_event", "event": event, "parent_tool_use_id": agent})
}

fn start(agent: Option<&str>) -> [Value; 2] {
    let message = json!({"type": "message_start", "message": {"id": "msg_1"}});
    let block = json!({
        "type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""},
    });
    [streamed(agent, message), streamed(agent, block)]
}

fn piece(agent: Option<&str>, text: &str) -> Value {
    let delta = json!({"type": "text_delta", "text": text});
    streamed(agent, json!({"type": "content_block_delta", "index": 0, "delta": delta}))
}

fn whole(agent: Option<&str>, content: Value) -> Value {
    json!({"type": "assistant", "message": {"content": content}, "parent_tool_use_id": agent})
}

fn text(agent: Option<&str>, text: &str) -> Value {
    whole(agent, json!([{"type": "text", "text": text}]))
}

fn said(events: &[Event], of: Option<&str>) -> String {
    let texts = events.iter().map(|event| match event {
        Event::Text { agent, text } if agent.as_deref() == of => text,
        Event::TextEnd { agent } if agent.as_deref() == of => "|",
        _ => "",
    });
    texts.collect()
}

#[test]
fn a_text_that_was_streamed_is_not_said_again() {
    let [message, block] = start(None);
    let events = events([
        message,
        block.clone(),
        piece(None, "One "),
        piece(None, "two."),
        text(None, "One two."),
        block,
        piece(None, "Thr"),
        text(None, "Three."),
        text(None, "Four."),
    ]);
    assert_eq!(said(&events, None), "One two.|Three.|Four.|");
}

#[test]
fn blocks_that_come_together_behind_their_pieces_are_not_said_again() {
    let [message, block] = start(None);
    let both = json!([{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]);
    let events = events([
        message,
        block.clone(),
        piece(None, "One."),
        block,
        piece(None, "Two."),
        whole(None, both),
    ]);
    assert_eq!(said(&events, None), "One.Two.||");
}

/// Models that do not show their thinking stream none of it, or something else than comes whole.
#[test]
fn a_text_is_said_once_behind_thinking_that_is_not_shown() {
    let thinking = |whole: &str, streamed_as: Option<&str>| {
        let start = json!({
            "type": "content_block_start", "content_block": {"type": "thinking", "thinking": ""},
        });
        let piece = streamed_as.map(|text| {
            let delta = json!({"type": "thinking_delta", "thinking": text});
            streamed(None, json!({"type": "content_block_delta", "delta": delta}))
        });
        let whole = whole_thinking(whole);
        [streamed(None, start)].into_iter().chain(piece).chain([whole])
    };
    for (whole, streamed_as) in [("", None), ("", Some("Hm.")), ("Five words.", Some("Hm."))] {
        let [message, block] = start(None);
        let answer = [block, piece(None, "It is "), piece(None, "42."), text(None, "It is 42.")];
        let messages = [message].into_iter().chain(thinking(whole, streamed_as)).chain(answer);
        let said = said(&events(messages), None);
        assert!(said.ends_with("It is 42.|") && said.matches("42").count() == 1, "{said}");
    }
}

#[test]
fn what_an_agent_streams_while_the_turn_ends_is_not_said_again() {
    let agent = Some("toolu_1");
    let [message, block] = start(agent);
    let ended = json!({
        "type": "system", "subtype": "task_notification", "task_id": "t", "tool_use_id": agent,
    });
    let events = events([
        message,
        block,
        piece(agent, "Hello "),
        json!({"type": "result"}),
        piece(agent, "world"),
        text(agent, "Hello world"),
        ended,
        text(agent, "Hello world"),
    ]);
    assert_eq!(said(&events, agent), "Hello world|Hello world|");
}

fn whole_thinking(text: &str) -> Value {
    whole(None, json!([{"type": "thinking", "thinking": text, "signature": "EqQB"}]))
}

#[test]
fn subagents_that_stream_at_the_same_time_stay_apart() {
    let (one, two) = (Some("toolu_1"), Some("toolu_2"));
    let messages = [one, two].into_iter().flat_map(start).chain([
        piece(one, "Ro"),
        piece(two, "Os"),
        piece(one, "me"),
        text(two, "Oslo"),
        text(one, "Rome"),
    ]);
    let events = events(messages);
    assert_eq!((&*said(&events, one), &*said(&events, two)), ("Rome|", "Oslo|"));
}

#[test]
fn a_stream_that_was_cut_off_hides_nothing_of_the_next_answer() {
    let [message, block] = start(None);
    let result = json!({"type": "result", "is_error": true, "errors": ["cut off"]});
    let events = events([message, block, piece(None, "On"), result, text(None, "Only this.")]);
    assert_eq!(said(&events, None), "OnOnly this.|");
}

#[test]
fn a_text_that_was_cut_off_ends_before_another_one() {
    let begun = || start(None).into_iter().chain([piece(None, "On")]);
    let again = start(None).into_iter().chain([piece(None, "One."), text(None, "One.")]);
    assert_eq!(said(&events(begun().chain(again)), None), "On|One.|");
    assert_eq!(said(&events(begun().chain([text(None, "Two.")])), None), "On|Two.|");
}

#[test]
fn an_interrupt_is_no_other_failure() {
    let ended = |is_error: bool, reason: &str| {
        let message = json!({"type": "result", "is_error": is_error, "terminal_reason": reason});
        let [Event::Done { is_interrupted, .. }] = events([message])[..] else { panic!() };
        is_interrupted
    };
    assert!(ended(true, "aborted_tools") && ended(true, "aborted_streaming"));
    assert!(ended(false, "aborted_tools"), "a prompt for now has ended it");
    assert!(!ended(true, "max_turns") && !ended(false, "completed"));
}

#[test]
fn a_turn_with_the_subtype_of_an_error_has_failed() {
    let result = json!({"type": "result", "subtype": "error_max_turns", "is_error": false});
    let [Event::Done { is_error: true, text, .. }] = &events([result])[..] else { panic!() };
    assert_eq!(text, "the turn failed (error_max_turns)");
}

#[test]
fn results_have_the_name_and_the_time_of_their_call() {
    let call = |id| json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": id}});
    let result = |id, content: Value, is_error| {
        let result = json!({
            "type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error,
        });
        json!({"type": "user", "message": {"content": [result]}})
    };
    let image = json!([{"type": "text", "text": "A cat:"}, {"type": "image", "source": {}}]);
    let events = events([
        whole(None, json!([call("a"), call("b")])),
        result("b", "gone".into(), true),
        result("a", image, false),
        result("c", "unasked".into(), false),
    ]);
    let lines: Vec<_> = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    assert_eq!(
        lines.join("\n"),
        r#"
{"type":"call","agent":null,"id":"a","name":"Bash","input":{"command":"a"}}
{"type":"call","agent":null,"id":"b","name":"Bash","input":{"command":"b"}}
{"type":"returned","id":"b","name":"Bash","text":"gone","is_error":true,"duration_ms":1000}
{"type":"returned","id":"a","name":"Bash","text":"A cat:\n[image]","is_error":false,"duration_ms":2000}
{"type":"returned","id":"c","name":"","text":"unasked","is_error":false,"duration_ms":0}"#
            .trim()
    );
}

/// Messages of a real CLI, of a call before which a hook ran.
#[test]
fn a_report_is_of_the_call_that_it_is_about() {
    let report = |id: &str, tool: &str, of: &str, seconds: u32| {
        json!({
            "type": "tool_progress", "tool_use_id": id, "tool_name": tool,
            "parent_tool_use_id": of, "elapsed_time_seconds": seconds, "heartbeat": true,
        })
    };
    let call = json!({"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {}});
    let waits = json!({
        "type": "tool_progress", "tool_use_id": "agent_msg_1", "tool_name": "Agent",
        "parent_tool_use_id": "toolu_01", "elapsed_time_seconds": 0, "subagent_type": "Plan",
    });
    let events = events([
        whole(None, json!([call])),
        report("hook-PreToolUse-toolu_01-heartbeat-0", "PreToolUse", "toolu_01", 2),
        report("toolu_01-heartbeat-0", "Bash", "toolu_01", 30),
        report("toolu_02-heartbeat-0", "Bash", "toolu_02", 30),
        waits,
    ]);
    let [Event::Call { .. }, running] = &events[..] else { panic!("{events:?}") };
    assert_eq!(*running, Event::Running { id: "toolu_01".into(), seconds: 30.0 });
}

/// The API says so in the content, which is an array of findings otherwise.
#[test]
fn a_tool_of_the_api_that_fails_has_failed() {
    let failed = |content: Value| {
        let result =
            json!({"type": "web_search_tool_result", "tool_use_id": "a", "content": content});
        let events = events([whole(None, json!([result]))]);
        let [Event::Returned { is_error, .. }] = events[..] else { panic!("{events:?}") };
        is_error
    };
    let error = json!({"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"});
    assert!(failed(error));
    assert!(!failed(json!([{"type": "web_search_result", "title": "Cats"}])));
    assert!(!failed(json!({"type": "code_execution_result", "return_code": 0})));
}

/// The CLI repeats it like a prompt, as after `/compact` and `set_model`.
#[test]
fn what_a_command_prints_is_not_what_somebody_asks() {
    let user = |text: &str| {
        let message = json!({"role": "user", "content": text});
        json!({"type": "user", "message": message, "isReplay": true})
    };
    let events = events([
        user("<local-command-stdout>Compacted </local-command-stdout>"),
        user("<local-command-stderr>no\nsuch model</local-command-stderr>"),
        user("<local-command-stdout></local-command-stdout>"),
        user("<local-command-stdout> is what it prints"),
    ]);
    let notice = |text: &str| Event::Notice { text: text.into() };
    let prompt = Event::Prompt { text: "<local-command-stdout> is what it prints".into() };
    assert_eq!(events, [notice("Compacted"), notice("no\nsuch model"), prompt]);
}

#[test]
fn a_long_result_is_cut_between_two_characters() {
    let long = "ä".repeat(LONGEST);
    let cut = cut(&long[..LONGEST + 2]);
    assert!(cut.ends_with("ä… (2 more bytes)"), "{}", &cut[LONGEST - 4..]);
    assert!(super::cut(&format!("a{long}")).contains("ä… ("));
}
