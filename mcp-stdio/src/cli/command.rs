//! What the arguments of the command line ask for.

use toolwright::__private::join;

use super::nearest::hint;

/// One command.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    /// On standard input and output.
    Serve,
    /// On HTTP.
    Listen {
        address: String,
        /// The URL of the Redis server that carries changes between replicas.
        bus: Option<String>,
        /// The names by which clients may address the server, besides those of its address.
        hosts: Vec<String>,
    },
    List {
        as_json: bool,
    },
    Call {
        tool: String,
        arguments: Vec<String>,
        as_json: bool,
    },
    /// The page of one tool.
    Describe {
        tool: String,
    },
    Lint {
        as_json: bool,
    },
    Config,
    Completions(Shell),
    /// Asked by the scripts of `completions`: the words up to the one that is being typed.
    Complete(Vec<String>),
    Help,
    Version,
}

/// A shell that completes words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// The commands that help mentions.
pub(super) const COMMANDS: [&str; 7] =
    ["serve", "list", "call", "lint", "config", "completions", "help"];
pub(super) const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

impl Command {
    /// Reads the words after the program's name. The error says what is wrong with them.
    pub(super) fn read(words: &[String]) -> Result<Self, String> {
        let Some((name, rest)) = words.split_first() else { return Ok(Self::Serve) };
        let parts = parted(if name == "serve" { rest } else { words });
        if let [name, rest @ ..] = &*parts
            && name == "--http"
        {
            return listen(rest);
        }
        if name == "__complete" {
            return Ok(Self::Complete(rest.to_vec()));
        }
        let mut rest = rest.to_vec();
        let wants_help = take(&mut rest, &["--help", "-h"]);
        let command = match name.as_str() {
            "help" | "--help" | "-h" => return Ok(Self::Help),
            "version" | "--version" | "-V" => Self::Version,
            "serve" => Self::Serve,
            "list" => Self::List { as_json: take(&mut rest, &["--json"]) },
            "call" => return call(rest, wants_help),
            "lint" => Self::Lint { as_json: take(&mut rest, &["--json"]) },
            "config" => Self::Config,
            "completions" if wants_help => return Ok(Self::Help),
            "completions" => return shell(&rest).map(Self::Completions),
            _ => {
                let mut known = COMMANDS.to_vec();
                known.extend_from_slice(&["--help", "--http", "--version"]);
                let hint = hint(name, &known);
                return Err(format!("there is no command `{name}`{hint}"));
            }
        };
        match rest.first() {
            _ if wants_help => Ok(Self::Help),
            None => Ok(command),
            Some(word) if matches!(name.as_str(), "list" | "lint") => {
                Err(unknown(name, word, &["--json", "--help"]))
            }
            Some(word) => Err(unknown(name, word, &["--help"])),
        }
    }
}

/// The words, with `--http=ADDRESS` and the like as two each.
fn parted(words: &[String]) -> Vec<String> {
    let mut parted = Vec::new();
    for word in words {
        match word.split_once('=') {
            Some((option @ ("--http" | "--allowed-host" | "--bus"), value)) => {
                parted.push(option.to_owned());
                parted.push(value.to_owned());
            }
            _ => parted.push(word.clone()),
        }
    }
    parted
}

fn listen(rest: &[String]) -> Result<Command, String> {
    if !cfg!(feature = "http") {
        return Err("`--http` needs the feature `http` of toolwright-stdio".into());
    }
    let Some((address, options)) = rest.split_first() else {
        return Err("`--http` needs an address, such as 127.0.0.1:8080".into());
    };
    let (mut bus, mut hosts) = (None, Vec::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match (option.as_str(), options.next()) {
            #[cfg(feature = "http")]
            ("--allowed-host", Some(host)) if !toolwright::__private::is_host(host) => {
                return Err(format!(
                    "`--allowed-host` takes a name, such as mcp.example.com, or `*` for all, not \
                     `{host}`"
                ));
            }
            ("--allowed-host", Some(host)) => hosts.push(host.clone()),
            ("--allowed-host", None) => {
                return Err("`--allowed-host` needs a name, such as mcp.example.com".into());
            }
            ("--bus", _) if !cfg!(feature = "redis") => {
                return Err("`--bus` needs the feature `redis` of toolwright-stdio".into());
            }
            ("--bus", Some(url)) => bus = Some(url.clone()),
            ("--bus", None) => {
                return Err("`--bus` needs a URL, such as redis://127.0.0.1:6379".into());
            }
            _ => return Err(unknown("--http", option, &["--allowed-host", "--bus"])),
        }
    }
    Ok(Command::Listen { address: address.clone(), bus, hosts })
}

fn call(mut rest: Vec<String>, wants_help: bool) -> Result<Command, String> {
    let as_json = take(&mut rest, &["--json"]);
    // After the name of the tool a lone `-` is standard input, and values can begin with one.
    let is_option =
        |word: &&String| word.starts_with('-') && *word != "-" && !word.as_bytes().contains(&b'=');
    if let Some(word) = rest.iter().find(is_option) {
        return Err(unknown("call", word, &["--json", "--help"]));
    }
    match (rest.is_empty(), wants_help) {
        (true, true) => Ok(Command::Help),
        (true, false) => Err("`call` needs the name of a tool".into()),
        (false, true) => Ok(Command::Describe { tool: rest.remove(0) }),
        (false, false) => Ok(Command::Call { tool: rest.remove(0), arguments: rest, as_json }),
    }
}

fn shell(rest: &[String]) -> Result<Shell, String> {
    let [name] = rest else {
        return Err(format!("`completions` needs one shell: {}", join(&SHELLS, ", ")));
    };
    match name.as_str() {
        "bash" => Ok(Shell::Bash),
        "zsh" => Ok(Shell::Zsh),
        "fish" => Ok(Shell::Fish),
        _ => match hint(name, &SHELLS) {
            hint if hint.is_empty() => {
                Err(format!("there are completions for {}, not for `{name}`", join(&SHELLS, ", ")))
            }
            hint => Err(format!("there are no completions for `{name}`{hint}")),
        },
    }
}

/// Removes the words that are wanted, and tells whether there were any.
fn take(words: &mut Vec<String>, wanted: &[&str]) -> bool {
    let count = words.len();
    words.retain(|word| !wanted.contains(&&**word));
    words.len() < count
}

fn unknown(command: &str, word: &str, options: &[&str]) -> String {
    format!("`{command}` does not take `{word}`{}", hint(word, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        Command::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn each_command_is_read() {
        let call = |arguments: &[&str], as_json| Command::Call {
            tool: "add".into(),
            arguments: arguments.iter().map(ToString::to_string).collect(),
            as_json,
        };
        #[cfg(feature = "http")]
        let listen = |address: &str, bus: Option<&str>| Command::Listen {
            address: address.into(),
            bus: bus.map(str::to_owned),
            hosts: Vec::new(),
        };
        for (line, command) in [
            ("", Command::Serve),
            ("serve", Command::Serve),
            #[cfg(feature = "http")]
            ("--http 127.0.0.1:8080", listen("127.0.0.1:8080", None)),
            #[cfg(feature = "http")]
            ("serve --http [::1]:0", listen("[::1]:0", None)),
            #[cfg(feature = "http")]
            ("--http=[::1]:0", listen("[::1]:0", None)),
            #[cfg(feature = "http")]
            (
                "--http 0.0.0.0:1 --allowed-host a.example --allowed-host=*",
                Command::Listen {
                    address: "0.0.0.0:1".into(),
                    bus: None,
                    hosts: vec!["a.example".into(), "*".into()],
                },
            ),
            #[cfg(feature = "redis")]
            ("--http [::1]:0 --bus redis://here", listen("[::1]:0", Some("redis://here"))),
            #[cfg(feature = "redis")]
            ("serve --http=[::1]:0 --bus=redis://a?b=c", listen("[::1]:0", Some("redis://a?b=c"))),
            ("list", Command::List { as_json: false }),
            ("list --json", Command::List { as_json: true }),
            ("call add", call(&[], false)),
            ("call add a=2 b=-40", call(&["a=2", "b=-40"], false)),
            ("call --json add -", call(&["-"], true)),
            ("call add {} --json", call(&["{}"], true)),
            ("call add -x=1", call(&["-x=1"], false)),
            ("call add --help", Command::Describe { tool: "add".into() }),
            ("lint", Command::Lint { as_json: false }),
            ("lint --json", Command::Lint { as_json: true }),
            ("config", Command::Config),
            ("completions zsh", Command::Completions(Shell::Zsh)),
            ("__complete call --help", Command::Complete(vec!["call".into(), "--help".into()])),
            ("--version", Command::Version),
            ("-V", Command::Version),
            ("-h", Command::Help),
            ("help call", Command::Help),
            ("list --help", Command::Help),
            ("call -h", Command::Help),
            ("completions -h", Command::Help),
        ] {
            assert_eq!(read(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn wrong_words_are_named_with_the_nearest_right_one() {
        for (line, error) in [
            ("lnt", "there is no command `lnt`: did you mean `lint`?"),
            ("lst", "there is no command `lst`: did you mean `list`?"),
            ("--versoin", "there is no command `--versoin`: did you mean `--version`?"),
            ("8080", "there is no command `8080`"),
            #[cfg(feature = "http")]
            ("--http", "`--http` needs an address, such as 127.0.0.1:8080"),
            #[cfg(feature = "http")]
            ("--http [::1]:0 --bsu x", "`--http` does not take `--bsu`: did you mean `--bus`?"),
            #[cfg(feature = "http")]
            (
                "--http [::1]:0 --allowed-host",
                "`--allowed-host` needs a name, such as mcp.example.com",
            ),
            #[cfg(feature = "http")]
            (
                "--http [::1]:0 --allowed-host a.example --allowed-host https://b.example/",
                "`--allowed-host` takes a name, such as mcp.example.com, or `*` for all, not \
                 `https://b.example/`",
            ),
            #[cfg(feature = "http")]
            (
                "--http [::1]:0 --allowed-host=*.example.com",
                "`--allowed-host` takes a name, such as mcp.example.com, or `*` for all, not \
                 `*.example.com`",
            ),
            #[cfg(feature = "redis")]
            ("--http [::1]:0 --bus", "`--bus` needs a URL, such as redis://127.0.0.1:6379"),
            ("serve 8080", "`serve` does not take `8080`"),
            ("list --jsno", "`list` does not take `--jsno`: did you mean `--json`?"),
            ("call", "`call` needs the name of a tool"),
            ("call add --jsn", "`call` does not take `--jsn`: did you mean `--json`?"),
            ("completions", "`completions` needs one shell: bash, zsh, fish"),
            ("completions bsh", "there are no completions for `bsh`: did you mean `bash`?"),
            ("completions tcl", "there are completions for bash, zsh, fish, not for `tcl`"),
        ] {
            assert_eq!(read(line), Err(error.into()), "{line}");
        }
    }
}
