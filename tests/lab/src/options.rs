use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::call::Era;

pub const HELP: &str = "\
Measures Toolwright's stdio server against rmcp, the TypeScript and Python SDKs, a loop by hand and
a bare line echo, its HTTP server against rmcp, the TypeScript SDK and a handler by hand, and its
agent client against the official SDKs and programs by hand.

usage: toolwright-lab speed [options]  the stdio server, then the bars
       toolwright-lab http [options]   the HTTP server, then the bars
       toolwright-lab agent [options]  the agent client, then the bars
       toolwright-lab endure [options] millions of calls, thousands of runs, then what is left
       toolwright-lab hostile [options]
                                       what servers make of hostile bytes: ours must be right
       toolwright-lab cost [options]   what a user's build takes, ours and others', then the bars
       toolwright-lab fleet [options]  examples/fleet with 1, 2, 4 and 8 workers, then the bars
       toolwright-lab needs JSON [--sessions N] [--turns N] [--busiest N] [--model N] [--busy N]
                                       what so many sessions a day need, of what fleet measured
       toolwright-lab draw JSON METRIC SVG
                                       a picture of a metric in the JSON of a run

  --pin same|free|split
                    speed, http, agent: driver and servers share one CPU, or run where the system
                    puts them, or (http only) have one CPU each (default: free)
  --era legacy|stateless
                    speed: initialize first, or, which floor and floor-shared do not speak, _meta
                    in every request (default: legacy)
  --rounds N        speed, http, agent, cost, fleet: every server is measured in every round
                    (default: 5; agent, cost: 3; fleet: 1)
  --only A,B        only these. speed: ours, ours-50, rmcp, rmcp-tuned, ts, python, floor,
                    floor-shared, raw;
                    http: ours, floor, rmcp, rmcp-example, ts;
                    agent: ours, before, python, typescript, floor, batched;
                    endure: stdio, process, http, agent;
                    hostile: ours, rmcp, ts, python;
                    cost: ours, rmcp, agents, floor, or a program: stdio, agent-all, ...
  --measures A,B    only these measures. speed: start, add, search, window, echo, sleep,
                    memory, instructions;
                    http: json, sse, memory, sessions, instructions;
                    agent: partial, large, calls, hooks, permissions, first, idle, warm,
                    instructions;
                    hostile: stdio, http;
                    cost: crates, build, edit, release, check, features;
                    fleet: slow, instant
  --quick           one short round, to see that all works; no bar fails (endure and hostile: they
                    do)
  --calls N         endure: so many calls in all (default: 10,000,000; quick: 100,000)
  --runs N          endure: so many runs of the agent (default: 10,000; quick: 100)
  --seed N          endure: another order of the calls (default: 1)
  --default-heap    endure: with the heap as the C library has it; memory may miss its bar
  --ours PATH       speed: take this `calc`, and `calc-50` next to it; http, endure, hostile: this
                    fixture; agent: this client; fleet: `worker` and `fixture` of this folder;
                    instead of building them
  --client PATH     endure: take this client instead of building one
  --before PATH     agent: another build of our client, to compare with
  --runtime multi|current
                    agent: the runtime of our client (default: multi)
  --json FILE       write every reading to FILE
  --pictures        fleet: draw the pictures of docs/SCALE.md again
  --sessions N      needs: sessions a day (default: 1,000,000)
  --turns N         needs: turns of a session (default: 3)
                    The JSON of fleet does not have these, which are those of docs/SCALE.md:
  --busiest N       needs: turns of the busiest hour, of those of an average one (default: 3)
  --model N         needs: seconds that the model and slow tools take of a turn (default: 10)
  --busy N          needs: the share of the cores that may be busy (default: 0.7)

The exit status is 1 if an answer was wrong or missing, if a bar is missed, or if our server does
not exit well.
";

pub enum Command {
    Speed(Options),
    Http(Options),
    Agent(Options),
    Cost(Options),
    Fleet(Options),
    Endure(Options),
    Hostile(Options),
    /// Of the JSON file and the options.
    Needs(Vec<String>),
    /// Of the JSON file, a metric in it, and the picture.
    Draw([String; 3]),
    /// The line echo; the lab starts itself with this word.
    Raw,
    /// The loop by hand; the same.
    Floor,
    /// The loop that another thread can take over; the same.
    FloorShared,
    /// The HTTP handler by hand; the same.
    HttpFloor,
    /// A program that ends with the lab; the same.
    Leashed(Vec<String>),
    Help,
}

pub struct Options {
    pub same_cpu: bool,
    /// Driver and servers have one CPU each.
    pub split_cpus: bool,
    pub era: Era,
    pub rounds: usize,
    /// Empty means all.
    pub only: Vec<String>,
    /// Empty means all.
    pub measures: Vec<String>,
    pub quick: bool,
    pub ours: Option<PathBuf>,
    pub client: Option<PathBuf>,
    pub before: Option<PathBuf>,
    pub current_runtime: bool,
    pub json: Option<PathBuf>,
    pub pictures: bool,
    pub calls: Option<u64>,
    pub runs: Option<u64>,
    pub seed: u64,
    pub default_heap: bool,
}

impl Options {
    /// Whether these programs, or this part of a run, are to be measured.
    pub fn wants(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    pub fn wants_measure(&self, name: &str) -> bool {
        self.measures.is_empty() || self.measures.iter().any(|wanted| wanted == name)
    }
}

/// A command that measures or tests, how many rounds it has by itself, and what it reads besides
/// `--quick` and `--json`.
type Known = (&'static str, fn(Options) -> Command, usize, &'static str);

const KNOWN: [Known; 7] = [
    ("speed", Command::Speed, 5, "--pin --era --rounds --only --measures --ours"),
    ("http", Command::Http, 5, "--pin --rounds --only --measures --ours"),
    ("agent", Command::Agent, 3, "--pin --rounds --only --measures --ours --before --runtime"),
    ("cost", Command::Cost, 3, "--rounds --only --measures"),
    ("fleet", Command::Fleet, 1, "--rounds --measures --ours --pictures"),
    ("endure", Command::Endure, 1, "--only --calls --runs --seed --default-heap --ours --client"),
    ("hostile", Command::Hostile, 1, "--only --measures --ours"),
];

pub fn parse(mut args: impl Iterator<Item = String>) -> Result<Command> {
    let word = args.next();
    if let Some(known) = KNOWN.iter().find(|(name, ..)| Some(*name) == word.as_deref()) {
        return Ok(options(args, known)?.map_or(Command::Help, known.1));
    }
    Ok(match word.as_deref() {
        Some("raw") => Command::Raw,
        Some("floor") => Command::Floor,
        Some("floor-shared") => Command::FloorShared,
        Some("http-floor") => Command::HttpFloor,
        Some("leashed") => Command::Leashed(args.collect()),
        Some("needs") => {
            let args: Vec<_> = args.collect();
            let asks_for_help = args.iter().any(|arg| ["--help", "-h"].contains(&arg.as_str()));
            if asks_for_help { Command::Help } else { Command::Needs(args) }
        }
        Some("draw") => {
            let files: Vec<_> = args.collect();
            let files = files.try_into().ok().context("draw needs JSON, a metric and SVG")?;
            Command::Draw(files)
        }
        Some("--help" | "-h") | None => Command::Help,
        Some(other) => bail!("unknown command {other}; --help lists them"),
    })
}

/// `None` if help was asked for.
fn options(
    mut args: impl Iterator<Item = String>,
    (command, _, rounds, known): &Known,
) -> Result<Option<Options>> {
    let mut options = Options {
        same_cpu: false,
        split_cpus: false,
        era: Era::Legacy,
        rounds: *rounds,
        only: Vec::new(),
        measures: Vec::new(),
        quick: false,
        ours: None,
        client: None,
        before: None,
        current_runtime: false,
        json: None,
        pictures: false,
        calls: None,
        runs: None,
        seed: 1,
        default_heap: false,
    };
    let mut rounds_given = false;
    while let Some(arg) = args.next() {
        let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--help" | "-h" => return Ok(None),
            "--quick" => options.quick = true,
            "--json" => options.json = Some(value()?.into()),
            // What nobody reads would seem to hold.
            other if !known.split(' ').any(|option| option == other) => {
                bail!("{command} has no option {other}; --help lists them")
            }
            "--pin" => {
                (options.same_cpu, options.split_cpus) = match value()?.as_str() {
                    "same" => (true, false),
                    "free" => (false, false),
                    "split" if *command == "http" => (false, true),
                    other => bail!("--pin is same, free or for http split, not {other}"),
                }
            }
            "--era" => {
                options.era = match value()?.as_str() {
                    "legacy" => Era::Legacy,
                    "stateless" => Era::Stateless,
                    other => bail!("--era is legacy or stateless, not {other}"),
                }
            }
            "--rounds" => {
                options.rounds = value()?.parse().context("--rounds needs a number")?;
                rounds_given = true;
            }
            "--only" => options.only = list(&value()?),
            "--measures" => options.measures = list(&value()?),
            "--ours" => options.ours = Some(value()?.into()),
            "--client" => options.client = Some(value()?.into()),
            "--before" => options.before = Some(value()?.into()),
            "--runtime" => {
                options.current_runtime = match value()?.as_str() {
                    "multi" => false,
                    "current" => true,
                    other => bail!("--runtime is multi or current, not {other}"),
                }
            }
            "--pictures" => options.pictures = true,
            "--calls" => options.calls = Some(value()?.parse().context("--calls needs a number")?),
            "--runs" => options.runs = Some(value()?.parse().context("--runs needs a number")?),
            "--seed" => options.seed = value()?.parse().context("--seed needs a number")?,
            "--default-heap" => options.default_heap = true,
            _ => bail!("unknown option {arg}; --help lists them"),
        }
    }
    if options.quick && !rounds_given {
        options.rounds = 1;
    }
    if options.rounds == 0 {
        bail!("--rounds must be at least 1");
    }
    Ok(Some(options))
}

fn list(names: &str) -> Vec<String> {
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
