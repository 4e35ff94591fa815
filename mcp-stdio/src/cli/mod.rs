//! The command line: everything that a server program does beside serving.

mod nearest;
mod command;
mod client;
mod help;
mod completions;
mod list;
mod lint;
mod call;

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Handle;
use toolwright::{Tool, ToolRegistry};
use toolwright_console::{Failure, Limit, Screen, Signals, config, shown, typed};

use crate::Options;
#[cfg(feature = "http")]
use crate::listening;
use crate::runtimes::{self, Build, Tools};
use client::Client;
use command::Command;

/// How long after a signal and its grace a call may still wait for a reader of its messages.
const PATIENCE: Duration = Duration::from_secs(5);

/// A command that is not to serve.
pub(crate) struct Asked {
    command: Result<Command, String>,
    /// The name of the program, as it was called.
    program: String,
    /// The arguments of the program itself, which stand before the command.
    own: Vec<OsString>,
    options: Options,
}

/// What a command works with.
struct Desk<'a> {
    asked: &'a Asked,
    screen: Screen,
    registry: &'a ToolRegistry,
    /// The runtime of the tools.
    tools: Handle,
}

/// The command that the arguments name, unless it is to serve.
pub(crate) fn asked(options: &Options) -> Option<Asked> {
    let left = options.args.as_ref().map(Vec::len);
    if left.unwrap_or_else(|| env::args_os().len().saturating_sub(1)) == 0 {
        return None;
    }
    let mut all = env::args_os();
    let program = all.next().unwrap_or_default();
    let program = Path::new(&program).file_name().map(|name| name.to_string_lossy().into_owned());
    let mut own: Vec<_> = all.collect();
    let left = options.args.clone().unwrap_or_else(|| own.clone());
    match own.ends_with(&left) {
        true => own.truncate(own.len() - left.len()),
        false => own.clear(),
    }
    match texts(left).and_then(|words| Command::read(&words)) {
        Ok(Command::Serve) => None,
        command => {
            let program = program.unwrap_or_else(|| "server".into());
            Some(Asked { command, program, own, options: options.clone() })
        }
    }
}

fn texts(words: Vec<OsString>) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for word in words {
        match word.into_string() {
            Ok(text) => texts.push(text),
            Err(word) => return Err(format!("`{}` is not UTF-8", word.display())),
        }
    }
    Ok(texts)
}

impl Asked {
    /// Does what is asked for. Returns the exit status of the program.
    pub(crate) fn run(self, build: Build<'_>) -> ExitCode {
        // A person who reads slowly is waited for, unlike by what the program prints.
        let error = io::stderr().as_fd().try_clone_to_owned().map(File::from);
        match self.answer(build) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                // There is no other place to report it if this fails too.
                let _ = error.and_then(|mut error| {
                    let text = shown(&failure.text, &error);
                    error.write_all(text.as_bytes())
                });
                ExitCode::from(failure.status)
            }
        }
    }

    fn answer(&self, build: Build<'_>) -> Result<(), Failure> {
        let command = match &self.command {
            Ok(command) => command,
            Err(error) => return Err(self.misused(error)),
        };
        #[cfg(feature = "http")]
        if let Command::Listen { address, bus, hosts } = command {
            let (runtime, registry) = runtimes::built(runtimes::threads()?, build)?;
            let mut options = self.options.http.clone();
            options.allowed_hosts.extend_from_slice(hosts);
            return Ok(listening::listen(address, bus.as_deref(), options, runtime, registry)?);
        }
        let mut screen = Screen::take()?;
        match command {
            Command::Serve => Ok(()),
            Command::Help => {
                let page = help::program(&self.program, screen.width());
                screen.print(&page)
            }
            Command::Completions(shell) => {
                screen.print(&completions::script(*shell, &self.program))
            }
            command => {
                let (runtime, registry) = runtimes::built(runtimes::runtime()?, build)?;
                let handle = runtime.handle().clone();
                let tools = Tools::start(runtime)?;
                let desk = Desk { asked: self, screen, registry: &registry, tools: handle };
                let done = desk.work(command);
                tools.stop();
                done
            }
        }
    }

    fn misused(&self, error: &str) -> Failure {
        Failure::usage(&self.program, error, "--help")
    }
}

impl Desk<'_> {
    fn work(mut self, command: &Command) -> Result<(), Failure> {
        let text = match command {
            Command::List { as_json: false } => list::list(self.registry, self.screen.width()),
            Command::List { as_json: true } | Command::Version => self.told(command)?,
            Command::Describe { tool } => {
                let tool = self.find(tool)?;
                help::tool(&self.asked.program, &tool, self.screen.width())
            }
            Command::Config => {
                let program = env::current_exe().map_err(|error| {
                    format!("the path of this program cannot be found: {error}")
                })?;
                config::config(self.registry.name(), &program, &self.asked.own)?
            }
            Command::Lint { as_json } => {
                return lint::show(&self.registry.lint(), *as_json, &mut self.screen);
            }
            Command::Complete(words) => completions::candidates(words, self.registry),
            Command::Call { tool, arguments, as_json } => {
                let result = self.call(tool, arguments)?;
                return call::show(&result, tool, *as_json, &mut self.screen);
            }
            // These need no registry.
            Command::Serve | Command::Listen { .. } | Command::Help | Command::Completions(_) => {
                String::new()
            }
        };
        self.screen.print(&text)
    }

    /// What the server tells a client: its version, or its lists.
    fn told(&self, command: &Command) -> Result<String, String> {
        let runtime = runtimes::runtime()?;
        let _context = runtime.enter();
        let mut client = self.client();
        let mut told = Ok(String::new());
        runtimes::block_on(&runtime, async {
            told = match command {
                Command::Version => client.version().await,
                _ => list::json(self.registry, &mut client).await,
            };
        });
        told
    }

    fn call(&mut self, tool: &str, words: &[String]) -> Result<String, Failure> {
        let found = self.find(tool)?;
        let arguments = self.arguments(&found, words)?;
        let runtime = runtimes::runtime()?;
        let _context = runtime.enter();
        let grace = self.asked.options.grace;
        let signals = runtimes::signals(Limit::new(grace.saturating_add(PATIENCE)))?;
        let mut client = self.client();
        let screen = &mut self.screen;
        let mut result = Ok(String::new());
        runtimes::block_on(&runtime, async {
            result = call::call(&mut client, tool, &arguments, signals, screen).await;
            // A plain function that was stopped may need a moment to notice it.
            client.ended(grace).await;
        });
        // What is printed now may wait for its reader without end.
        Signals::release();
        result
    }

    /// The JSON text of the arguments.
    fn arguments(&self, tool: &Tool, words: &[String]) -> Result<String, Failure> {
        let help = format!("call {} --help", tool.name());
        let misused = |error: String| Failure::usage(&self.asked.program, &error, &help);
        let text = match words {
            [word] if word == "-" => self.screen.read()?,
            [word] if word.trim_start().starts_with('{') => word.clone(),
            words => {
                let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
                let read =
                    |path: &str| self.screen.read_file(path).map_err(|error| error.to_string());
                return typed::object(&schema, words, &read).map_err(misused);
            }
        };
        match text.parse::<Value>() {
            Ok(Value::Object(_)) => Ok(text),
            Ok(_) => Err(misused("the arguments must be a JSON object".into())),
            Err(error) => Err(misused(format!("the arguments are not JSON: {error}"))),
        }
    }

    fn find(&self, name: &str) -> Result<Tool, Failure> {
        self.registry.get(name).ok_or_else(|| {
            let tools = self.registry.tools();
            let mut names = Vec::new();
            for tool in &tools {
                names.push(tool.name());
            }
            let hint = nearest::hint(name, &names);
            let error = format!("there is no tool `{name}`{hint}");
            Failure::usage(&self.asked.program, &error, "list")
        })
    }

    /// Needs a current runtime.
    fn client(&self) -> Client {
        Client::of(self.registry, self.tools.clone())
    }
}
