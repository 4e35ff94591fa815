//! An in-process server answers byte for byte as the stdio server does, over the whole fixture.
//! Only `whoami` may differ: it tells of its host.

mod in_process;
mod script;

use std::collections::BTreeSet;
use std::fs::File;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use toolwright::testing::{Direction, TestClient};
use toolwright_tests::fixture::{Flags, registry};

use in_process::InProcess;
use script::{Era, Step, Until, script};

#[tokio::test]
async fn an_in_process_server_answers_as_the_stdio_server_does() {
    // The fixture has a tool whose child reads the standard input that it inherits.
    rustix::stdio::dup2_stdin(File::open("/dev/null").unwrap()).unwrap();
    let registry = registry(&Flags::default()).unwrap();
    for era in [Era::Legacy, Era::Modern] {
        let script = script(era);
        let stdio = over_stdio(&script);
        let mut server = InProcess::connect(registry.clone()).await;
        let mut answers = 0;
        for (step, stdio) in script.iter().zip(&stdio) {
            let said = server.take(step).await;
            assert_eq!(&said, stdio, "{era:?}: {}", step.line);
            answers += said.len();
        }
        server.close().await;
        assert!(answers > script.len() / 2);
        // `grow` has added it to the registry, of which this process has only one.
        assert!(registry.remove("fresh"));
    }
    let missing: Vec<_> = registry
        .tools()
        .iter()
        .map(|tool| tool.name().to_owned())
        .filter(|name| !called().contains(name) && !asks(name))
        .collect();
    // The answers of the second, four at once, come in any order.
    assert_eq!(missing, ["whoami", "four_together"]);
}

/// True of a tool that asks its client something, or whose calls become tasks: its result depends
/// on what the client can.
fn asks(tool: &str) -> bool {
    const TASKS: [&str; 7] = [
        "greet",
        "slow_compute",
        "failing_job",
        "protocol_error_job",
        "confirm_delete",
        "multi_input",
        "test_tool_with_task",
    ];
    const STARTS: [&str; 3] = ["ask_", "test_elicitation", "test_input_required_result_"];
    const OTHERS: [&str; 3] = ["test_sampling", "test_missing_capability", "come_back"];
    STARTS.iter().any(|start| tool.starts_with(start))
        || OTHERS.contains(&tool)
        || TASKS.contains(&tool)
}

/// What the stdio server says to each step.
fn over_stdio(script: &[Step]) -> Vec<Vec<String>> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = lines.clone();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fixture"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let mut client = TestClient::spawn(&mut command).unwrap().watch(move |direction, line| {
        if direction == Direction::ToClient {
            seen.lock().unwrap().push(line.to_owned());
        }
    });
    let said = script.iter().map(|step| {
        client.send_line(&step.line).unwrap();
        while !step.until.is_met(&lines.lock().unwrap()) {
            client.receive().unwrap().unwrap();
        }
        std::mem::take(&mut *lines.lock().unwrap())
    });
    let said = said.collect();
    client.close().unwrap();
    said
}

/// The tools that the script calls.
fn called() -> BTreeSet<String> {
    let calls = script(Era::Legacy).into_iter().filter_map(|step| {
        let request: Value = serde_json::from_str(&step.line).unwrap();
        request["params"]["name"].as_str().map(str::to_owned)
    });
    calls.collect()
}

impl Until {
    /// Whether these messages are all that is to come.
    fn is_met(&self, messages: &[String]) -> bool {
        let last = messages.last().map(|line| serde_json::from_str::<Value>(line).unwrap());
        match (self, last) {
            (Self::Nothing, _) => true,
            (Self::Answer(id), Some(message)) => message["id"] == *id,
            (Self::Notification(method), Some(message)) => message["method"] == *method,
            (_, None) => false,
        }
    }
}
