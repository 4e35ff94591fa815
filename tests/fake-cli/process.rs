//! What a process can do beside speaking.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use std::{env, fs};

use toolwright::{Value, json};

use super::broken;

/// As what the program goes on.
#[derive(Clone, Copy)]
pub(super) enum Again {
    IgnoringSigterm,
    Mute,
}

/// Goes on with the rest of the script as the same process in another state. What was read and not
/// waited for is lost.
pub(super) fn turn_into(again: Again, rest: &[Value]) {
    let own = env::current_exe().unwrap_or_else(|error| broken(&error.to_string()));
    let mut command = match again {
        Again::Mute => Command::new(own),
        // A signal that is ignored stays so in the program that a shell turns into.
        Again::IgnoringSigterm => {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", "trap '' TERM; exec \"$0\" \"$@\""]).arg(own);
            shell
        }
    };
    if let Again::Mute = again {
        command.stdout(Stdio::null());
    }
    let error = command
        .args(env::args_os().skip(1))
        .env("FAKE_CLI_AGAIN", "1")
        .env("FAKE_CLI_SCRIPT", json!(rest).to_string())
        .exec();
    broken(&error.to_string())
}

/// Starts a process that holds the output; gives its id.
pub(super) fn grandchild(is_daemon: bool) -> u32 {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "exec sleep 600"]).stdin(Stdio::null());
    if is_daemon {
        command.process_group(0);
    }
    match command.spawn() {
        Ok(child) => child.id(),
        Err(error) => broken(&error.to_string()),
    }
}

pub(super) fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(600));
    }
}

pub(super) fn surroundings() -> Value {
    let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let variables: BTreeMap<_, _> =
        env::vars_os().map(|(name, value)| (lossy(name), lossy(value))).collect();
    json!({"type": "surroundings", "arguments": env::args().skip(1).collect::<Vec<_>>(), "environment": variables})
}

/// Leaves what this process was started with.
pub(super) fn record(heard: &[Value]) {
    let mut record = surroundings();
    let files = env::args().filter_map(|argument| {
        let path = argument.split_once('=').map_or(argument.clone(), |(_, value)| value.to_owned());
        Some((path.clone(), fs::read_to_string(&path).ok()?))
    });
    record["files"] = json!(files.collect::<BTreeMap<_, _>>());
    record["heard"] = json!(heard);
    let path = env::var_os("FAKE_CLI_RECORD").unwrap_or_default();
    if let Err(error) = fs::write(path, record.to_string()) {
        broken(&error.to_string());
    }
}

/// The names of the servers that the client answers for.
pub(super) fn sdk_servers() -> Vec<String> {
    let arguments: Vec<_> = env::args().collect();
    let configs =
        arguments.iter().enumerate().filter_map(|(at, argument)| match argument.split_once('=') {
            Some(("--mcp-config", config)) => Some(config.to_owned()),
            _ if argument == "--mcp-config" => arguments.get(at + 1).cloned(),
            _ => None,
        });
    let configs = configs.filter_map(|config| config.parse::<Value>().ok());
    let servers = configs.filter_map(|config| config["mcpServers"].as_object().cloned()).flatten();
    servers.filter(|(_, server)| server["type"] == "sdk").map(|(name, _)| name).collect()
}
