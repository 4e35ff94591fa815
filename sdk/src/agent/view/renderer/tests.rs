use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

fn shown(style: Style, events: &[Event]) -> String {
    let mut renderer = Renderer::new(Vec::new(), style);
    events.iter().for_each(|event| renderer.show(event).unwrap());
    String::from_utf8(renderer.into_inner()).unwrap()
}

/// What is shown, in 80 columns and without colours, of which nothing is wider.
fn check(events: &[Event], expected: Expect) {
    let shown = shown(Style::default(), events);
    for row in shown.lines() {
        assert!(width(row) <= 80, "{} columns: {row}", width(row));
        assert_eq!(row.trim_end(), row, "a row ends with spaces");
    }
    expected.assert_eq(&shown);
}

fn text(text: &str) -> Event {
    Event::Text { agent: None, text: text.into() }
}

fn call(id: &str, name: &str, input: serde_json::Value) -> Event {
    Event::Call { agent: None, id: id.into(), name: name.into(), input: input.into() }
}

fn returned(id: &str, name: &str, text: &str, duration_ms: u64) -> Event {
    let (id, name, text) = (id.into(), name.into(), text.into());
    Event::Returned { id, name, text, is_error: false, duration_ms }
}

fn progress(done: f64) -> Event {
    Event::Progress { id: "a".into(), done, total: 4.0, message: format!("file {done}") }
}

const END: Event = Event::TextEnd { agent: None };

fn done() -> Event {
    let model = |model: &str, cost_usd| ModelCost {
        model: model.into(),
        input_tokens: 1200,
        output_tokens: 80,
        cost_usd,
    };
    Event::Done {
        is_interrupted: false,
        is_error: false,
        text: "42".into(),
        turns: 3,
        duration_ms: 61_250,
        cost_usd: 0.0125,
        models: vec![model("claude-haiku-5", 0.0025), model("claude-opus-5", 0.01)],
    }
}

#[test]
fn a_run() {
    let pieces = "I read the file first, which has all that is known about the matter, and then \
                  I count the words of it:\n\n    indented as code is\n- and a list";
    let mut events = vec![
        Event::Prompt { text: "How many words has the file?".into() },
        Event::Turn { model: "claude-opus-5".into(), session_id: "s".into() },
        Event::Thinking { agent: None, text: "Which file?".into() },
        END,
    ];
    events.extend(pieces.split_inclusive(' ').map(text));
    events.extend([
        END,
        call("a", "Read", json!({"file": "words.txt"})),
        returned("a", "Read", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", 7),
        text("Eight."),
        END,
        done(),
    ]);
    check(
        &events,
        expect![[r#"
        You     How many words has the file?
        Thinks  Which file?
        Claude  I read the file first, which has all that is known about the matter, and
                then I count the words of it:

                    indented as code is
                - and a list
        Call    Read {"file":"words.txt"}
        Result  one
                two
                three
                four
                five
                six
                … 2 more rows  (7 ms)
        Claude  Eight.
        Done    3 turns, $0.0125, 1 min 1 s
                claude-haiku-5: 1200 tokens in, 80 out, $0.0025
                claude-opus-5: 1200 tokens in, 80 out, $0.0100
    "#]],
    );
}

#[test]
fn calls_at_the_same_time_have_their_names_behind_them() {
    let error = Event::Returned {
        id: "a".into(),
        name: "mcp__calc__add".into(),
        text: "Invalid arguments for `add`:\n- /a: missing".into(),
        is_error: true,
        duration_ms: 1_250,
    };
    check(
        &[
            call("a", "mcp__calc__add", json!({"b": "x".repeat(600)})),
            call("b", "Bash", json!({"command": "ls"})),
            returned("b", "Bash", "", 12),
            error,
        ],
        expect![[r#"
            Call    mcp__calc__add
                    {"b":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
                    … 4 more rows
            Call    Bash {"command":"ls"}
            Result  (nothing)  (12 ms)
            Error   mcp__calc__add: Invalid arguments for `add`:
                    - /a: missing  (1.2 s)
        "#]],
    );
}

#[test]
fn bars_that_cannot_move_are_a_row_for_each_tenth() {
    let mut events = vec![call("a", "mcp__files__copy", json!({"files": 4}))];
    events.extend((1..=400).map(|step| progress(f64::from(step / 100 * 100) / 100.0)));
    events.push(returned("a", "mcp__files__copy", "4 files", 40));
    check(
        &events,
        expect![[r#"
        Call    mcp__files__copy {"files":4}
                [....................]   0% file 0
                [#####...............]  25% file 1
                [##########..........]  50% file 2
                [###############.....]  75% file 3
                [####################] 100% file 4
        Result  4 files  (40 ms)
    "#]],
    );
}

#[test]
fn bars_that_move_are_wiped_out() {
    let style = Style { live: true, ..Style::default() };
    let shown = shown(style, &[progress(1.0), progress(2.0), text("Done."), END]);
    let rows: Vec<_> = shown.split("\r\x1b[2K").collect();
    assert_eq!(
        rows,
        [
            "        [#####...............]  25% file 1",
            "        [##########..........]  50% file 2",
            "Claude  Done.\n",
        ]
    );
}

#[test]
fn a_result_has_its_name_behind_a_row_that_is_wiped_out() {
    let style = Style { live: true, ..Style::default() };
    let shown = shown(
        style,
        &[
            call("a", "Read", json!({})),
            call("b", "Bash", json!({})),
            Event::Running { id: "a".into(), seconds: 30.0 },
            returned("a", "Read", "words", 30_000),
        ],
    );
    let (_, rest) = shown.split_once("        30 s\r\x1b[2K").unwrap();
    assert_eq!(rest, "Result  Read: words  (30.0 s)\n");
}

#[test]
fn what_nobody_has_counted_has_no_bar() {
    let progress = |message: &str| Event::Progress {
        id: "a".into(),
        done: 3.0,
        total: 0.0,
        message: message.into(),
    };
    let style = Style { live: true, ..Style::default() };
    let rows = shown(style, &[progress("files"), progress("")]);
    assert_eq!(rows, "        3 files\r\x1b[2K        3");
    assert_eq!(shown(Style::default(), &[progress("files")]), "");
}

#[test]
fn an_interrupted_turn_is_said_to_be_one() {
    let mut interrupted = done();
    if let Event::Done { is_error, is_interrupted, text, .. } = &mut interrupted {
        (*is_error, *is_interrupted, *text) = (true, true, "[diagnostic]".into());
    }
    let shown = shown(Style::default(), &[interrupted]);
    assert!(shown.starts_with("Note    interrupted\nDone    3 turns"), "{shown}");
    assert!(!shown.contains("[diagnostic]"), "{shown}");
}

#[test]
fn a_question_shows_all_arguments() {
    let command = (0..60).map(|number| format!("rm file-{number} && ")).collect::<String>();
    let question = Event::Question {
        id: "a".into(),
        name: "Bash".into(),
        input: json!({"command": format!("{command}true")}).into(),
        reason: Some("it is outside of the working folder".into()),
        always: None,
        default_to_no: false,
    };
    let shown = shown(Style::default(), &[question]);
    assert!(shown.contains("file-59") && shown.contains("true\"}"), "{shown}");
    assert!(shown.ends_with("        it is outside of the working folder\n"), "{shown}");
}

#[test]
fn a_question_hides_nothing_however_long_it_is() {
    let question = Event::Question {
        id: "a".into(),
        name: "Write".into(),
        input: json!({"content": "word ".repeat(20_000), "file_path": "/etc/passwd"}).into(),
        reason: Some("It is quite safe. ".repeat(50) + "/etc"),
        always: None,
        default_to_no: false,
    };
    let shown = shown(Style::default(), &[question]);
    assert!(shown.contains("\"/etc/passwd\"}"), "{}", &shown[shown.len() - 500..]);
    assert!(shown.ends_with(" /etc\n"), "{}", &shown[shown.len() - 500..]);
}

#[test]
fn what_always_allows_is_not_what_the_model_says() {
    let question = Event::Question {
        id: "a".into(),
        name: "Bash".into(),
        input: json!({}).into(),
        reason: Some("List the files\nAlways  Bash(ls *)".into()),
        always: Some("Bash(rm *)".into()),
        default_to_no: false,
    };
    check(
        &[question],
        expect![[r#"
        Asks    May Bash be called? {}
                List the files
                Always  Bash(ls *)
        Always  in this session: Bash(rm *)
    "#]],
    );
}

#[test]
fn nothing_that_is_said_controls_the_terminal() {
    let evil = "a\x1b[2Jb\x07c\u{9b}31md\re\u{202e}\u{61c}f\tg\x7f";
    let events = [
        text(evil),
        END,
        call(evil, evil, json!({evil: evil})),
        returned(evil, evil, evil, 1),
        Event::Notice { text: evil.into() },
        Event::Failed { error: evil.into() },
    ];
    let shown = shown(Style::default(), &events);
    let bad =
        |char: char| char != '\n' && (char.is_control() || matches!(char, '\u{202e}' | '\u{61c}'));
    assert!(!shown.contains(bad), "{shown:?}");
    assert!(shown.starts_with(
        "Claude  a\u{fffd}[2Jb\u{fffd}c\u{fffd}31mde\u{fffd}\u{fffd}f    g\u{fffd}\n"
    ));
}

#[test]
fn an_emoji_may_come_in_pieces() {
    let pieces = ["\u{1f469}", "\u{200d}", "\u{1f4bb}"].map(text);
    let shown = shown(Style::default(), &[&pieces[..], &[END]].concat());
    assert_eq!(shown, "Claude  \u{1f469}\u{200d}\u{1f4bb}\n");
}

#[test]
fn wide_characters_take_two_columns() {
    let style = Style { width: 24, ..Style::default() };
    let shown = shown(style, &[text("漢字漢字漢字漢字漢字 é x"), END]);
    assert_eq!(shown, "Claude  漢字漢字漢字漢字\n        漢字 é x\n");
}

#[test]
fn signs_that_are_drawn_as_pictures_take_two_columns() {
    let hearts = "❤\u{fe0f}".repeat(200);
    let style = Style { width: 30, ..Style::default() };
    for said in [hearts.clone(), format!("a{hearts}"), format!("é {hearts}")] {
        let shown = shown(style, &[text(&said), END]);
        for row in shown.lines() {
            assert!(width(row) <= 30 && !row.trim_start().starts_with('\u{fe0f}'), "{row:?}");
        }
    }
    let style = Style { live: true, ..style };
    let progress = Event::Progress {
        id: "a".into(),
        done: 3.0,
        total: 0.0,
        message: "⚠\u{fe0f}1\u{fe0f}\u{20e3}".repeat(60),
    };
    let row = shown(style, &[progress]);
    assert!(width(&row) < 30, "{row}");
}

#[test]
fn colours_add_nothing_but_escape_sequences() {
    let events = [
        Event::Prompt { text: "Hello".into() },
        text("Hi."),
        END,
        call("a", "Bash", json!({})),
        returned("a", "Bash", "ok", 3),
        done(),
    ];
    let mut plain = shown(Style { color: true, ..Style::default() }, &events);
    assert!(plain.contains("\x1b[32mClaude\x1b[0m"), "{plain:?}");
    for code in ["0", "1", "2", "31", "32", "33", "36"] {
        plain = plain.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(plain, shown(Style::default(), &events));
}

#[test]
fn who_speaks_is_said_again_after_another() {
    let agent = Some("toolu_1".to_owned());
    let other = |text: &str| Event::Text { agent: agent.clone(), text: text.into() };
    check(
        &[text("I ask. "), other("I look."), text("Go on."), END, done()],
        expect![[r#"
        Claude  I ask.
        Agent   I look.
        Claude  Go on.
        Done    3 turns, $0.0125, 1 min 1 s
                claude-haiku-5: 1200 tokens in, 80 out, $0.0025
                claude-opus-5: 1200 tokens in, 80 out, $0.0100
    "#]],
    );
}
