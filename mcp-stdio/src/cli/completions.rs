//! Completion of words in shells. The scripts ask this program for the words, so they know nothing
//! of its tools.

use serde_json::Value;
use toolwright::ToolRegistry;
use toolwright_console::Schema;
use toolwright_console::table::row;

use super::command::{COMMANDS, SHELLS, Shell};

/// It needs no more than bash 3.2, which macOS has. That one has no `compopt`, and reads nothing
/// from `source <(…)`.
const BASH: &str = r#"# eval "$(PROGRAM completions bash)"
FUNCTION() {
    local word program="${COMP_WORDS[0]/#\~\//$HOME/}"
    COMPREPLY=()
    while IFS= read -r word; do
        [[ $word == *= ]] || word+=" "
        COMPREPLY+=("$word")
    done < <("$program" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nospace -F FUNCTION -- 'PROGRAM'
"#;

const ZSH: &str = r#"#compdef PROGRAM
# source <(PROGRAM completions zsh), or a file _PROGRAM in a folder of $fpath
FUNCTION() {
    local -a found
    found=(${(f)"$(${(Q)~words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
    compadd -S '' -- ${(M)found:#*=}
    compadd -- ${found:#*=}
}
if [[ ${funcstack[1]-} == FUNCTION ]]; then
    FUNCTION "$@"
else
    compdef FUNCTION 'PROGRAM'
fi
"#;

const FISH: &str = r#"# PROGRAM completions fish | source
function FUNCTION
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..] 2>/dev/null
end
complete -c 'PROGRAM' -f -a '(FUNCTION)'
"#;

/// The script that completes the words of a program.
pub(super) fn script(shell: Shell, program: &str) -> String {
    let script = match shell {
        Shell::Bash => BASH,
        Shell::Zsh => ZSH,
        Shell::Fish => FISH,
    };
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let function = format!("_{}", program.chars().map(letter).collect::<String>());
    script.replace("FUNCTION", &function).replace("PROGRAM", program)
}

/// What the last of the words can become, one a line.
pub(super) fn candidates(words: &[String], registry: &ToolRegistry) -> String {
    let (typed, before) = words.split_last().map_or(("", words), |(last, rest)| (last, rest));
    // `--json` may stand anywhere behind the command, and once.
    let has_json = before.iter().any(|word| word == "--json");
    let mut before = before.to_vec();
    before.retain(|word| word != "--json");
    let mut all = Vec::new();
    match &before[..] {
        [] if !has_json => all = row(&COMMANDS),
        [command] if command == "call" => {
            for tool in &registry.tools() {
                all.push(tool.name().to_owned());
            }
        }
        [command, tool, used @ ..] if command == "call" => all = keys(registry, tool, used),
        [command] if command == "completions" => all = row(&SHELLS),
        [command] if command == "list" || command == "lint" => all = row(&["--json"]),
        _ => {}
    }
    let mut fitting = String::new();
    for word in &all {
        if word.starts_with(typed) && !(has_json && word == "--json") {
            fitting = fitting + word + "\n";
        }
    }
    fitting
}

/// `key=` for the arguments that a tool takes and does not have yet.
fn keys(registry: &ToolRegistry, tool: &str, used: &[String]) -> Vec<String> {
    let Some(tool) = registry.get(tool) else { return Vec::new() };
    let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
    // bash makes three words of `key=value`, and what is typed may be the value.
    if used.last().is_some_and(|word| word == "=") {
        return Vec::new();
    }
    let is_used = |key: &str| used.iter().any(|word| word.split('=').next() == Some(key));
    let mut words = Vec::new();
    for (key, _) in Schema::of(&schema).keys() {
        if !is_used(key) {
            words.push(format!("{key}="));
        }
    }
    words.push("--json".to_owned());
    words
}

#[cfg(test)]
mod tests {
    use toolwright::{tool, tools};

    use super::*;

    #[tool]
    async fn add(first: f64, second: f64) -> f64 {
        first + second
    }

    #[tool]
    async fn about() {}

    #[test]
    fn words_that_can_follow_are_found() {
        let registry = ToolRegistry::builder("calc").tools(tools![add, about]).build().unwrap();
        for (line, expected) in [
            ("", "serve list call lint config completions help"),
            ("c", "call config completions"),
            ("call ", "add about"),
            ("call ad", "add"),
            ("call add ", "first= second= --json"),
            ("call add f", "first="),
            ("call add first=1 ", "second= --json"),
            ("call add first = 1 ", "second= --json"),
            ("call add first = s", ""),
            ("call --json ad", "add"),
            ("call --json add f", "first="),
            ("call add --json ", "first= second="),
            ("call about ", "--json"),
            ("call none ", ""),
            ("completions ", "bash zsh fish"),
            ("list ", "--json"),
            ("list --json ", ""),
            ("li", "list lint"),
            ("lint ", "--json"),
            ("config ", ""),
        ] {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            let found = candidates(&words, &registry).replace('\n', " ");
            assert_eq!(found.trim_end(), expected, "{line}");
        }
    }

    #[test]
    fn a_script_names_the_program() {
        for (shell, start) in [
            (Shell::Bash, "# eval \"$(my-calc completions bash)\"\n_my_calc() {\n"),
            (Shell::Zsh, "#compdef my-calc\n"),
            (Shell::Fish, "# my-calc completions fish | source\nfunction _my_calc\n"),
        ] {
            let script = script(shell, "my-calc");
            assert!(script.starts_with(start), "{script}");
            assert!(!script.contains("PROGRAM") && !script.contains("FUNCTION"), "{script}");
        }
    }
}
