//! The pages of help.

use serde_json::Value;
use toolwright::__private::{join, split_first};
use toolwright::Tool;
use toolwright_console::Schema;
use toolwright_console::table::{columns, row, table, wrapped};

/// How deep the page of a tool shows members of members.
const DEEPEST: usize = 4;
/// How many members it shows: a type that contains itself has its members again at each level.
const MOST_ROWS: usize = 1_000;
/// The columns of the choices of an argument that stand beside its name.
const CHOICES: usize = 24;

/// The page of the program.
pub(super) fn program(program: &str, width: usize) -> String {
    let rows = |rows: &[[&str; 2]]| {
        let mut named = Vec::new();
        for [name, about] in rows {
            named.push(match name.strip_prefix("PROGRAM") {
                Some(rest) => row(&[&format!("{program}{rest}"), about]),
                None => row(&[name, about]),
            });
        }
        indented(&named, width)
    };
    let commands = rows(&[
        [
            "PROGRAM",
            "Serve tools to an MCP client on standard input and output. `serve` is the same.",
        ],
        #[cfg(feature = "http")]
        ["PROGRAM --http ADDRESS", "Serve on HTTP, such as at 127.0.0.1:8080, with the path /mcp."],
        #[cfg(feature = "http")]
        [
            "  with --allowed-host NAME",
            "For clients that address it by this name: the name of this machine or of a proxy.",
        ],
        #[cfg(feature = "redis")]
        [
            "  with --bus URL",
            "As one of several replicas that share this Redis. A URL with a password is better in \
             the variable TOOLWRIGHT_BUS, which other users do not see.",
        ],
        [
            "PROGRAM list [--json]",
            "List the tools, prompts and resources. With --json as clients see them.",
        ],
        [
            "PROGRAM call TOOL ARG...",
            "Call a tool with the arguments that follow, and print its result. Images are saved in \
             the current folder. With --json the whole result as JSON.",
        ],
        ["PROGRAM call TOOL -h", "Show the arguments of a tool."],
        ["PROGRAM lint [--json]", "Find what model APIs and clients would refuse, cut or misread."],
        ["PROGRAM config", "Print the configuration with which a client starts this program."],
        ["PROGRAM completions SHELL", "Print a script that completes words in bash, zsh or fish."],
        ["PROGRAM --version", "Print the version."],
    ]);
    let arguments = rows(&[
        ["key=value", "The value has the type that the tool wants."],
        ["key.member=value", "A member of an object."],
        ["key=a key=b", "Elements of an array, objects as JSON."],
        [
            "key=@path",
            "The content of a file, key=@- that of standard input; key=@@text for text that begins \
             with @.",
        ],
        ["'{\"key\": 1}'", "All arguments as one JSON object."],
        ["-", "The same from standard input."],
    ]);
    let status = "Exit status: 0 for a result, 1 if the tool or the program has failed or `lint` \
                  has found something, 2 for wrong words on the command line, 130 after Ctrl-C, \
                  143 after SIGTERM.";
    let status = join(&wrapped(status, width), "\n");
    let claude = format!("claude --mcp-config \"$({program} config)\"");
    format!(
        "Usage:\n{commands}\nArguments of a call:\n{arguments}\n\
         To give the tools to Claude:\n  {claude}\n\n{status}\n"
    )
}

/// The page of a tool.
pub(super) fn tool(program: &str, tool: &Tool, width: usize) -> String {
    let description = match tool.description() {
        "" => String::new(),
        text => paragraphs(text, width) + "\n",
    };
    let schema: Value = tool.input_schema().get().parse().unwrap_or_default();
    let mut rows = Vec::new();
    members(Schema::of(&schema), "", DEEPEST, &mut rows);
    let arguments = match rows.is_empty() {
        true if is_open(&schema) => "It takes arguments of any names.\n".into(),
        true => "It takes no arguments.\n".into(),
        false => {
            let head = join(&wrapped("Arguments, in brackets if they are optional:", width), "\n");
            format!("{head}\n{}", indented(&rows, width))
        }
    };
    format!("{program} call {}\n\n{description}{arguments}", tool.name())
}

/// True if an object says that it takes members which it does not name, as that of a map does.
fn is_open(schema: &Value) -> bool {
    let others = schema.get("additionalProperties");
    others.is_some_and(|others| others.is_object() || *others == true)
        || schema.get("patternProperties").is_some()
}

/// A row for each member of an object, for their members, and for those of elements of arrays.
fn members(schema: Schema<'_>, prefix: &str, deep: usize, rows: &mut Vec<Vec<String>>) {
    for (key, is_required) in schema.keys() {
        if rows.len() > MOST_ROWS {
            return;
        }
        if rows.len() == MOST_ROWS {
            return rows.push(row(&["...", "There are more."]));
        }
        let Some(member) = schema.member(key) else { continue };
        let name = format!("{prefix}{key}");
        let choices = schema.choices_of(key);
        let beside = join(&choices, "|");
        let mut about = schema.about_of(key).to_owned();
        let kind = match columns(&beside) {
            0 => schema.kinds_of(key),
            1..=CHOICES => beside,
            _ => {
                about = format!("{about} One of: {}.", join(&choices, ", "));
                schema.kinds_of(key)
            }
        };
        about += &schema.bounds_of(key);
        if let Some(default) = schema.default_of(key) {
            about = format!("{about} Default: {default}");
        }
        // An element is written as JSON, so none of its members is a word.
        let sign = if prefix.contains("[]") { ": " } else { "=" };
        let word = format!("{name}{sign}{kind}");
        let word = if is_required { word } else { format!("[{word}]") };
        rows.push(vec![word, about]);
        if deep > 1 {
            members(member, &format!("{name}."), deep - 1, rows);
            if let Some(element) = member.elements() {
                members(element, &format!("{name}[]."), deep - 1, rows);
            }
        }
    }
}

/// The text in lines of at most `width` columns. Items of lists keep lines of their own, and code
/// stays as it is.
fn paragraphs(text: &str, width: usize) -> String {
    let mut is_code = false;
    let mut lines: Vec<String> = Vec::new();
    // The lines of the text that are one line until they are wrapped.
    let mut open = String::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        let is_item = match line.trim_start().as_bytes().first() {
            Some(b'-' | b'*' | b'+' | b'|' | b'#') => true,
            Some(b'0'..=b'9') => split_first(line, ". ").is_some(),
            _ => false,
        };
        if (is_code || is_fence || is_item || line.trim().is_empty()) && !open.is_empty() {
            lines.extend(wrapped(&std::mem::take(&mut open), width));
        }
        if is_code || is_fence || line.trim().is_empty() {
            lines.push(line.trim_end().to_owned());
        } else {
            open = format!("{open} {line}");
        }
        is_code ^= is_fence;
    }
    if !open.is_empty() {
        lines.extend(wrapped(&open, width));
    }
    join(&lines, "\n") + "\n"
}

fn indented(rows: &[Vec<String>], width: usize) -> String {
    let mut text = String::new();
    for line in table(rows, width.saturating_sub(2)).lines() {
        text.push_str(if line.is_empty() { "" } else { "  " });
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    #[test]
    fn a_description_keeps_its_lists_and_its_code() {
        let text = "Copy a\nfile. It takes:\n- one word\n  and more\n- another\n1. first\n\n\
                    ```\nlet this = stay as it is;\n```\nThe end.";
        let expected = "\
Copy a file. It
takes:
- one word and
more
- another
1. first

```
let this = stay as it is;
```
The end.
";
        assert_eq!(paragraphs(text, 16), expected);
        assert_eq!(paragraphs("At most\n10 words", 80), "At most 10 words\n");
    }

    #[test]
    fn a_tool_without_a_description_has_its_arguments_after_one_empty_line() {
        let plain = |description| {
            let schema = json!({"type": "object"});
            tool("p", &Tool::new("t", description, schema, async |_: Value, _| ""), 80)
        };
        assert_eq!(plain(""), "p call t\n\nIt takes no arguments.\n");
        assert_eq!(plain("Says."), "p call t\n\nSays.\n\nIt takes no arguments.\n");
    }

    #[test]
    fn a_tool_of_a_map_takes_arguments() {
        let page = |schema| {
            let page = tool("p", &Tool::new("t", "T", schema, async |_: Value, _| ""), 80);
            page.lines().last().unwrap().to_owned()
        };
        for open in [json!({"additionalProperties": true}), json!({"patternProperties": {}})] {
            assert_eq!(page(open), "It takes arguments of any names.");
        }
        assert_eq!(page(json!({"additionalProperties": {}})), "It takes arguments of any names.");
        assert_eq!(page(json!({"additionalProperties": false})), "It takes no arguments.");
        assert_eq!(page(json!({"type": "object"})), "It takes no arguments.");
    }

    #[test]
    fn a_type_of_many_members_that_contains_itself_is_shown_in_part() {
        let own: Map<_, _> = (0..1_000).map(|at| (at.to_string(), json!({"$ref": "#"}))).collect();
        let mut rows = Vec::new();
        members(Schema::of(&json!({"properties": own})), "", DEEPEST, &mut rows);
        assert_eq!(rows.len(), MOST_ROWS + 1);
        assert_eq!(rows.last().unwrap().join(" "), "... There are more.");
    }

    #[test]
    fn many_choices_stand_with_the_description() {
        let schema = json!({
            "properties": {
                "op": {"enum": ["eq", "ne"], "default": "eq"},
                "unit": {
                    "description": "Of length.",
                    "enum": ["metre", "kilometre", "foot", "mile", "light-year"],
                },
            },
            "required": ["unit"],
        });
        let mut rows = Vec::new();
        members(Schema::of(&schema), "", DEEPEST, &mut rows);
        let expected = "  [op=eq|ne]   Default: eq
  unit=string  Of length. One of: metre, kilometre, foot, mile, light-year.
";
        assert_eq!(indented(&rows, 80), expected);
    }
}
