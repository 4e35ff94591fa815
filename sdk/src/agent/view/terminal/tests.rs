use std::io::Cursor;
use std::sync::{Arc, Mutex};

use expect_test::expect;

use super::*;
use crate::agent::view::desk::Item;
use crate::agent::{AgentClient, AgentOptions, PermissionRequest, Query, query_with};
use crate::testing::ScriptedCli;
use crate::{CancelToken, Context, ToolRegistry, json, tool, tools};

/// Copy some files.
#[tool(destructive = false)]
async fn copy(files: u32, cx: &Context) -> String {
    for file in 1..=files {
        cx.progress_of(file.into(), files.into(), format!("file {file}"));
        tokio::task::yield_now().await;
    }
    format!("{files} files")
}

/// Delete a file.
#[tool(destructive)]
async fn delete(file: &str) -> String {
    format!("{file} is gone")
}

/// What was written.
#[derive(Clone, Default)]
struct Screen(Arc<Mutex<Vec<u8>>>);

impl Screen {
    /// Without what depends on the clock.
    fn text(&self) -> String {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let times = regex_lite::Regex::new(r"\b[0-9.]+ m?s\b").unwrap();
        times.replace_all(&text, "T").into_owned()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn terminal(typed: &'static str) -> (Terminal, Screen) {
    let screen = Screen::default();
    (Terminal::new(Cursor::new(typed), screen.clone(), Style::default()), screen)
}

fn registry() -> ToolRegistry {
    ToolRegistry::builder("files").tools(tools![copy, delete]).build().unwrap()
}

/// Deletes three files, and gives what is shown about it.
async fn deletes(typed: &'static str) -> String {
    let (mut terminal, screen) = terminal(typed);
    let options = terminal.attach(AgentOptions::builder().mcp_server(registry())).build().unwrap();
    let cli = ScriptedCli::new().turn(|turn| {
        let call = |file| ("mcp__files__delete", json!({"file": file}));
        turn.say("I tidy up.").call_all([call("a"), call("b"), call("c")]).say("Done.")
    });
    let run = query_with(cli, "Tidy up.", options).await.unwrap();
    terminal.watch(run).await.unwrap();
    screen.text()
}

#[tokio::test]
async fn a_run_with_progress() {
    let (mut terminal, screen) = terminal("");
    let registry = registry();
    let options = AgentOptions::builder().allow_registry(&registry).mcp_server(registry);
    let options = terminal.attach(options).build().unwrap();
    let cli = ScriptedCli::new().turn(|turn| {
        turn.think("Four.")
            .say("I copy.")
            .call("mcp__files__copy", json!({"files": 4}))
            .say_result()
    });
    terminal.prompt("Copy four files.").unwrap();
    let run = query_with(cli, "Copy four files.", options).await.unwrap();
    let result = terminal.watch(run).await.unwrap();
    assert_eq!(result.text(), "4 files");
    // Progress is shown as it is when its turn comes, and at the end in any case.
    let is_bar = |row: &str| row.trim_start().starts_with('[') && !row.contains("100%");
    let shown = screen.text();
    let rows: String = shown.split_inclusive('\n').filter(|row| !is_bar(row)).collect();
    expect![[r#"
        You     Copy four files.
        Thinks  Four.
        Claude  I copy.
        Call    mcp__files__copy {"files":4}
                [####################] 100% file 4
        Result  4 files  (T)
        Claude  4 files
        Done    2 turns, $0.0005, T
                scripted: 20 tokens in, 20 out, $0.0005
    "#]]
    .assert_eq(&rows);
}

#[tokio::test]
async fn permissions_are_asked_for() {
    expect![[r#"
        Claude  I tidy up.
        Call    mcp__files__delete {"file":"a"}
        Call    mcp__files__delete {"file":"b"}
        Call    mcp__files__delete {"file":"c"}
        Asks    May mcp__files__delete be called? {"file":"a"}
        Always  in this session: mcp__files__delete
                [y]es, [a]lways in this session, [N]o, or what to do instead: 
                allowed
        Result  mcp__files__delete: a is gone  (T)
        Asks    May mcp__files__delete be called? {"file":"b"}
        Always  in this session: mcp__files__delete
                [y]es, [a]lways in this session, [N]o, or what to do instead: 
                denied
        Error   mcp__files__delete: the user does not want this, but says: keep it
                (T)
        Asks    May mcp__files__delete be called? {"file":"c"}
        Always  in this session: mcp__files__delete
                [y]es, [a]lways in this session, [N]o, or what to do instead: 
                denied
        Error   mcp__files__delete: the user does not want this  (T)
        Claude  Done.
        Done    4 turns, $0.0005, T
                scripted: 20 tokens in, 20 out, $0.0005
    "#]]
    .assert_eq(&deletes("y\nkeep it\nn\n").await);
}

#[tokio::test]
async fn what_is_always_allowed_is_asked_once() {
    let shown = deletes("a\n").await;
    assert_eq!(shown.matches("[a]lways in this session").count(), 1, "{shown}");
    assert_eq!(shown.matches("is gone").count(), 3, "{shown}");
}

#[tokio::test]
async fn nobody_at_the_terminal_permits_nothing() {
    let shown = deletes("yes\n").await;
    let (_, rest) = shown.split_once("a is gone").unwrap();
    assert_eq!(rest.matches("denied").count(), 2, "{shown}");
    assert_eq!(rest.matches("Error   mcp__files__delete: nobody is at the terminal").count(), 2);
}

/// Lets the model ask two questions.
async fn asking(terminal: &Terminal) -> Query {
    let options = terminal.attach(AgentOptions::builder()).build().unwrap();
    let option = |label, description| json!({"label": label, "description": description});
    let questions = json!({"questions": [
        {
            "question": "Which parts do you need?", "header": "Parts", "multiSelect": true,
            "options": [option("Server", "over HTTP"), option("Client", ""), option("Tests", "")],
        },
        {
            "question": "Which licence?", "header": "Licence", "multiSelect": false,
            "options": [option("MIT", "short"), option("Apache-2.0", "with patents")],
        },
    ]});
    let cli = ScriptedCli::new()
        .builtin("AskUserQuestion", "It was asked.")
        .turn(|turn| turn.call("AskUserQuestion", questions));
    query_with(cli, "Begin.", options).await.unwrap()
}

/// What is shown if this is typed then.
async fn asks(typed: &'static str) -> String {
    let (mut terminal, screen) = terminal(typed);
    let run = asking(&terminal).await;
    terminal.watch(run).await.unwrap();
    screen.text()
}

#[tokio::test]
async fn what_the_model_asks_is_answered() {
    let shown = asks("1,3\nWhat my firm uses\n").await;
    let (_, shown) = shown.split_once("Asks").unwrap();
    expect![[r#"
            Which parts do you need?
                1  Server: over HTTP
                2  Client
                3  Tests
                numbers such as 1,2, or an answer of your own: 
        Asks    Which licence?
                1  MIT: short
                2  Apache-2.0: with patents
                a number, or an answer of your own: 
                allowed
        Result  AskUserQuestion: The user answered: "Which parts do you need?"="Server,
                Tests", "Which licence?"="What my firm uses". Read the answers carefully
                — they may request clarification, changes, or that you not proceed — and
                follow what they actually say.  (T)
        Done    2 turns, $0.0002, T
                scripted: 10 tokens in, 10 out, $0.0002
    "#]]
    .assert_eq(shown);
    // Who answers one question only, leaves the other one open.
    assert!(asks("\n2\n").await.contains("allowed"));
    assert!(asks("\n\n").await.contains("the user does not answer"));
    assert!(asks("1\n").await.contains("nobody is at the terminal"));
}

#[tokio::test]
async fn once_the_terminal_is_gone_nothing_is_permitted() {
    let (terminal, _) = terminal("y\n");
    let options = terminal.attach(AgentOptions::builder().mcp_server(registry())).build().unwrap();
    drop(terminal);
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call("mcp__files__delete", json!({"file": "a"})).say_result());
    let result = query_with(cli, "Tidy up.", options).await.unwrap().finish().await.unwrap();
    assert!(result.text().contains("nobody is there to permit it"), "{}", result.text());
}

/// An input on which nothing is typed until the test says so.
struct Typist(std::sync::mpsc::Receiver<&'static str>, Cursor<Vec<u8>>);

impl io::Read for Typist {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl BufRead for Typist {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.1.fill_buf()?.is_empty() {
            self.1 = Cursor::new(self.0.recv().unwrap_or_default().into());
        }
        self.1.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.1.consume(count);
    }
}

fn typist() -> (std::sync::mpsc::Sender<&'static str>, Terminal, Screen) {
    let (keys, typed) = std::sync::mpsc::channel();
    let screen = Screen::default();
    let typist = Typist(typed, Cursor::default());
    (keys, Terminal::new(typist, screen.clone(), Style::default()), screen)
}

/// Watches until this is shown, and leaves it then, as `select!` does.
async fn watch_until(terminal: &mut Terminal, run: &mut Query, screen: &Screen, shown: &str) {
    let is_shown = async {
        while !screen.text().contains(shown) {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        result = terminal.watch(run) => panic!("{result:?}"),
        () = is_shown => {}
    }
}

#[tokio::test]
async fn a_question_that_is_left_is_asked_again() {
    let (keys, mut terminal, screen) = typist();
    let options = terminal.attach(AgentOptions::builder().mcp_server(registry())).build().unwrap();
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call("mcp__files__delete", json!({"file": "a"})).say_result());
    let mut run = query_with(cli, "Delete a.", options).await.unwrap();
    watch_until(&mut terminal, &mut run, &screen, "[N]o").await;
    // Whoever types has seen the question.
    keys.send("y\n").unwrap();
    terminal.watch(run).await.unwrap();
    expect![[r#"
        Call    mcp__files__delete {"file":"a"}
        Asks    May mcp__files__delete be called? {"file":"a"}
        Always  in this session: mcp__files__delete
                [y]es, [a]lways in this session, [N]o, or what to do instead: 
        Asks    May mcp__files__delete be called? {"file":"a"}
        Always  in this session: mcp__files__delete
                [y]es, [a]lways in this session, [N]o, or what to do instead: 
                allowed
        Result  mcp__files__delete: a is gone  (T)
        Claude  a is gone
        Done    2 turns, $0.0005, T
                scripted: 20 tokens in, 20 out, $0.0005
    "#]]
    .assert_eq(&screen.text());
}

#[tokio::test]
async fn what_was_answered_before_is_not_asked_again() {
    let (keys, mut terminal, screen) = typist();
    let mut run = asking(&terminal).await;
    keys.send("1,3\n").unwrap();
    watch_until(&mut terminal, &mut run, &screen, "a number, or").await;
    keys.send("2\n").unwrap();
    terminal.watch(run).await.unwrap();
    let shown = screen.text();
    assert_eq!(shown.matches("Asks    Which parts").count(), 1, "{shown}");
    assert_eq!(shown.matches("Asks    Which licence?").count(), 2, "{shown}");
    let answer = r#"need?"="Server, Tests", "Which licence?"="Apache-2.0""#;
    assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(answer), "{shown}");
}

#[tokio::test]
async fn what_is_typed_for_a_question_that_is_gone_answers_no_other() {
    let (keys, mut terminal, screen) = typist();
    let options = terminal.attach(AgentOptions::builder().mcp_server(registry())).build().unwrap();
    let delete = |file| json!({"file": file});
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call("mcp__files__delete", delete("a")))
        .turn(|turn| turn.call("mcp__files__delete", delete("b")).say_result());
    let client = AgentClient::connect_with(cli, options).await.unwrap();

    let handle = client.handle();
    let asked = screen.clone();
    let interrupt = async move {
        while !asked.text().contains("[N]o") {
            tokio::task::yield_now().await;
        }
        handle.interrupt().await.unwrap();
    };
    let interrupt = tokio::spawn(interrupt);
    let turn = client.ask("Delete a.").await.unwrap();
    terminal.watch(turn).await.unwrap_err();
    interrupt.await.unwrap();
    assert!(screen.text().contains("no longer asked"), "{}", screen.text());

    // The first line is for the question that is gone.
    keys.send("y\n").unwrap();
    keys.send("n\n").unwrap();
    let turn = client.ask("Delete b.").await.unwrap();
    let result = terminal.watch(turn).await.unwrap();
    assert!(!result.text().contains("b is gone"), "{}", result.text());
    client.close().await;
}

#[tokio::test]
async fn a_question_that_is_gone_when_it_is_shown_takes_no_line() {
    let (mut terminal, screen) = terminal("y\n");
    let ask = |terminal: &Terminal, id: &str| {
        let request = format!(r#"{{"tool_use_id":"{id}","tool_name":"Write","input":{{}}}}"#);
        let request = PermissionRequest::read(request, CancelToken::default()).unwrap();
        let desk = terminal.feed.desk();
        tokio::spawn(async move { desk.ask(request).await })
    };
    let gone = ask(&terminal, "a");
    let Item::Question(question) = terminal.feed.desk().next().await else { panic!() };
    gone.abort();
    gone.await.unwrap_err();
    terminal.asked = Some(*question);
    terminal.ask().await.unwrap();
    assert!(screen.text().ends_with("no longer asked\n"), "{}", screen.text());

    let asked = ask(&terminal, "b");
    let Item::Question(question) = terminal.feed.desk().next().await else { panic!() };
    terminal.asked = Some(*question);
    terminal.ask().await.unwrap();
    assert!(asked.await.unwrap().is_allowed(), "{}", screen.text());
}

#[tokio::test]
async fn what_follows_an_answer_on_standard_input_is_left_to_the_program() {
    let (input, mut typed) = io::pipe().unwrap();
    typed.write_all(b"y\nthe rest\n").unwrap();
    drop(typed);
    let before = rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3).unwrap();
    rustix::stdio::dup2_stdin(&input).unwrap();
    let mut keyboard = Terminal::stdout().keyboard;
    let line = keyboard.line().await.unwrap();
    let mut rest = String::new();
    io::stdin().read_line(&mut rest).unwrap();
    rustix::stdio::dup2_stdin(&before).unwrap();
    assert_eq!((line.as_deref(), &*rest), (Some("y\n"), "the rest\n"));
}

#[tokio::test]
async fn the_progress_of_a_turn_that_is_not_watched_is_not_shown_later() {
    let (mut terminal, screen) = terminal("");
    let registry = registry();
    let options = AgentOptions::builder().allow_registry(&registry).mcp_server(registry);
    let options = terminal.attach(options).build().unwrap();
    let copy = |files: u32| ("mcp__files__copy", json!({"files": files}));
    let cli = ScriptedCli::new()
        .turn(|turn| turn.call_all([copy(3)]).say("Three."))
        .turn(|turn| turn.call_all([copy(4)]).say("Four."));
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    client.ask("Copy three.").await.unwrap().finish().await.unwrap();
    terminal.watch(client.ask("Copy four.").await.unwrap()).await.unwrap();
    client.close().await;
    let shown = screen.text();
    assert!(shown.contains("100% file 4"), "{shown}");
    assert!(!shown.contains("100% file 3"), "{shown}");
}
