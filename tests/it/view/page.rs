//! The page in a real browser.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use tokio::process::Command;
use tokio::time::timeout;
use toolwright::agent::transport::{Connection, Incoming, Launch, Transport};
use toolwright::agent::view::{Page, serve};
use toolwright::agent::{AgentClient, AgentOptions, ConnectError};
use toolwright::testing::ScriptedCli;
use toolwright::{Context, ToolRegistry, json, tool, tools};

use crate::cli::Folder;
use crate::peers::{installed, on_path, peer};

/// The script gives up each step by itself, and long before.
const LIMIT: Duration = Duration::from_secs(300);

/// What is asked in each turn.
const PROMPTS: [&str; 3] = [
    "How many words has \"a function is a tool\"? Add 37 to that.",
    "Tidy up the project.",
    "Wait until I stop you.",
];

/// Add two numbers.
#[tool(read_only, idempotent)]
async fn add(a: f64, b: f64) -> f64 {
    a + b
}

/// Count the words of a text.
#[tool(read_only)]
async fn count_words(text: &str, cx: &Context) -> usize {
    cx.progress(0.5, "splitting");
    text.split_whitespace().count()
}

/// Go on behind a number.
#[tool(read_only)]
async fn skip(to: u64, cx: &Context) -> u64 {
    cx.progress_of(to as f64, u64::MAX as f64, "skipping");
    to
}

/// List all files.
#[tool(read_only)]
async fn list() -> String {
    (1..=40).map(|number| format!("target/debug/build/part-{number:02}.o\n")).collect()
}

/// Delete a file.
#[tool(destructive)]
async fn delete(file: &str) -> Result<String, String> {
    match file {
        "lock" => Err("lock is in use".into()),
        _ => Ok(format!("{file} is gone")),
    }
}

fn cli() -> ScriptedCli {
    let delete = |file| ("mcp__files__delete", json!({"file": file}));
    let option = |label, description| json!({"label": label, "description": description});
    let questions = json!({"questions": [
        {
            "question": "Which files may go too?", "header": "Files", "multiSelect": true,
            "options": [option("Logs", "older than a week"), option("Caches", "of all tools")],
        },
        {
            "question": "What is to happen next?", "header": "Next", "multiSelect": false,
            "options": [option("Build", "from scratch"), option("Nothing", "for today")],
        },
    ]});
    ScriptedCli::new()
        .builtin("AskUserQuestion", "It was asked.")
        .turn(|turn| {
            turn.think("The words come first.")
                .say("I count first, and then I add.")
                .call("mcp__calc__count_words", json!({"text": "a function is a tool"}))
                .call("mcp__calc__add", json!({"a": 5, "b": 37}))
                .say("Five words, and 37 more are 42.")
        })
        .turn(|turn| {
            let files = ["old.log", "notes.md", "todo.md", "lock", "cache"];
            turn.say("I look at what is there, and ask before anything goes.")
                .call("mcp__files__list", json!({}))
                .call_all(files.map(delete))
                .call("AskUserQuestion", questions)
                .call("mcp__calc__skip", json!({"to": 9_007_199_254_740_993_u64}))
                .say("That is all.")
        })
        .turn(|turn| turn.say("I wait.").until_interrupted())
}

/// A CLI that wants "no" to be preselected where a file has this name.
struct Cautious(ScriptedCli, &'static str);

struct Output(Box<dyn Incoming>, &'static str);

#[async_trait]
impl Transport for Cautious {
    async fn connect(self: Box<Self>, launch: Launch) -> Result<Connection, ConnectError> {
        let mut connection = Box::new(self.0).connect(launch).await?;
        connection.incoming = Box::new(Output(connection.incoming, self.1));
        Ok(connection)
    }
}

#[async_trait]
impl Incoming for Output {
    async fn read(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let mut said = Vec::new();
        self.0.read(&mut said).await?;
        let from = buffer.len();
        for line in String::from_utf8(said).unwrap().split_inclusive('\n') {
            let question = r#""subtype":"can_use_tool""#;
            let cautious = format!(r#"{question},"default_to_no":true"#);
            let line = match line.contains(self.1) {
                true => line.replace(question, &cautious),
                false => line.to_owned(),
            };
            buffer.extend_from_slice(line.as_bytes());
        }
        Ok(buffer.len() - from)
    }
}

/// Lets three turns run before whoever watches.
async fn run(cli: Cautious, mut page: Page) {
    let calc = ToolRegistry::builder("calc").tools(tools![add, count_words, skip]).build().unwrap();
    let files = ToolRegistry::builder("files").tools(tools![list, delete]).build().unwrap();
    let options = AgentOptions::builder()
        .allow_registry(&calc)
        .allowed_tools(["mcp__files__list"])
        .mcp_server(calc)
        .mcp_server(files);
    let options = page.attach(options).build().unwrap();
    let client = AgentClient::connect_with(cli, options).await.unwrap();
    for (number, prompt) in PROMPTS.into_iter().enumerate() {
        page.prompt(prompt);
        let turn = client.ask(prompt).await.unwrap();
        let result = page.watch(turn, client.handle()).await;
        assert_eq!(result.is_ok(), number < 2, "{result:?}");
    }
    client.close().await;
    // It is served until the browser has seen the end.
    std::future::pending().await
}

#[tokio::test]
async fn a_browser_shows_runs_and_answers_and_interrupts() {
    let script = installed(peer("browser/node_modules/playwright-core/package.json"));
    let (Some(_), Some(chromium), Some(node)) = (script, on_path("chromium"), on_path("node"))
    else {
        return;
    };
    let folder = Folder::create();
    let (cli, page) = (cli(), serve(0).await.unwrap());
    let seen = cli.seen();
    let mut command = Command::new(node);
    command
        .arg(peer("browser/page.mjs"))
        .args([page.url().as_ref(), chromium.as_os_str()])
        .args(["--screenshots".as_ref(), folder.path().as_os_str()])
        .env_clear()
        .envs(["HOME", "TMPDIR"].map(|name| (name, folder.path())))
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = tokio::select! {
        output = timeout(LIMIT, command.output()) => output.expect("it ends in time").unwrap(),
        () = run(Cautious(cli, "todo.md"), page) => unreachable!(),
    };
    let (said, log) =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).into();
    assert!(output.status.success(), "{}\n{said}\n{log}", output.status);
    assert!(said.ends_with("all is well\n"), "{said}");
    let sent = seen.sent();
    let mut answers = sent.iter().map(|line| &line["response"]["response"]);
    assert_eq!(
        answers.clone().find_map(|it| it["updatedInput"].get("answers")),
        Some(&json!({
            "Which files may go too?": "Logs, Caches, Notes", "What is to happen next?": "Build",
        }))
    );
    let rule = answers.find_map(|it| it["updatedPermissions"].get(0));
    assert_eq!(rule.map(|rule| &rule["destination"]), Some(&json!("session")));
    // Its times differ each time, so it is not one of the transcripts.
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/view.png");
    if std::env::var_os("UPDATE_PICTURE").is_some() {
        fs::copy(folder.path().join("wide.png"), &picture).unwrap();
    }
    assert!(fs::metadata(picture).unwrap().len() < 200_000);
}
