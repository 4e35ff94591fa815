//! Lists, help, and what other programs read.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use expect_test::expect;
use serde_json::{Value, json};
use toolwright::testing::TestClient;

use super::{check, command, fixture, run, transcript};

const FEW: &str = "--tools add,echo,sleep_ms,search";

#[test]
fn help_and_version() {
    check(
        &["--help"],
        &expect![[r#"
            $ fixture --help
            Usage:
              fixture                     Serve tools to an MCP client on standard input and
                                          output. `serve` is the same.
              fixture --http ADDRESS      Serve on HTTP, such as at 127.0.0.1:8080, with the
                                          path /mcp.
                with --allowed-host NAME  For clients that address it by this name: the name
                                          of this machine or of a proxy.
                with --bus URL            As one of several replicas that share this Redis.
                                          A URL with a password is better in the variable
                                          TOOLWRIGHT_BUS, which other users do not see.
              fixture list [--json]       List the tools, prompts and resources. With --json
                                          as clients see them.
              fixture call TOOL ARG...    Call a tool with the arguments that follow, and
                                          print its result. Images are saved in the current
                                          folder. With --json the whole result as JSON.
              fixture call TOOL -h        Show the arguments of a tool.
              fixture lint [--json]       Find what model APIs and clients would refuse, cut
                                          or misread.
              fixture config              Print the configuration with which a client starts
                                          this program.
              fixture completions SHELL   Print a script that completes words in bash, zsh
                                          or fish.
              fixture --version           Print the version.

            Arguments of a call:
              key=value         The value has the type that the tool wants.
              key.member=value  A member of an object.
              key=a key=b       Elements of an array, objects as JSON.
              key=@path         The content of a file, key=@- that of standard input;
                                key=@@text for text that begins with @.
              '{"key": 1}'      All arguments as one JSON object.
              -                 The same from standard input.

            To give the tools to Claude:
              claude --mcp-config "$(fixture config)"

            Exit status: 0 for a result, 1 if the tool or the program has failed or `lint`
            has found something, 2 for wrong words on the command line, 130 after Ctrl-C,
            143 after SIGTERM.
        "#]],
    );
    check(
        &["--version", "--legacy --version"],
        &expect![[r#"
        $ fixture --version
        fixture 0.1.0

        $ fixture --legacy --version
        fixture 0.1.0
    "#]],
    );
}

#[test]
fn a_table_of_the_tools() {
    let narrow = format!("{FEW} list");
    let output = command(&narrow).env("COLUMNS", "50").output().unwrap();
    expect![[r#"
        $ fixture --tools add,echo,sleep_ms,search list
        TOOL      ARGUMENTS            DESCRIPTION
        add       a b                  Add two numbers.
        echo      text                 Say the same.
        sleep_ms  ms                   Sleep, without
                                       keeping anything
                                       else from running.
        search    query [limit]        Search the records;
                  [filters] [options]  returns the number
                                       of filters.
    "#]]
    .assert_eq(&transcript(&narrow, &output));
    check(
        &[&narrow, "--tools none list"],
        &expect![[r#"
        $ fixture --tools add,echo,sleep_ms,search list
        TOOL      ARGUMENTS                          DESCRIPTION
        add       a b                                Add two numbers.
        echo      text                               Say the same.
        sleep_ms  ms                                 Sleep, without keeping anything
                                                     else from running.
        search    query [limit] [filters] [options]  Search the records; returns the
                                                     number of filters.

        $ fixture --tools none list
        TOOL  ARGUMENTS  DESCRIPTION
    "#]],
    );
}

#[test]
fn tables_of_the_prompts_and_the_resources() {
    let listed = String::from_utf8(run("list").stdout).unwrap();
    let (_, rest) = listed.split_once("\nPROMPT").unwrap();
    expect![[r#"
        PROMPT                      ARGUMENTS    DESCRIPTION
        test_simple_prompt                       Say something simple.
        test_prompt_with_arguments  arg1 arg2    Say what was given.
        test_prompt_with_embedded_resource
                                    resourceUri  Show a resource.
        test_prompt_with_image                   Show an image.
        test_input_required_result_prompt
                                                 Ask for the context of a prompt.

        RESOURCE                   TYPE                       DESCRIPTION
        test://static-text         text/plain                 A text that never changes.
        test://static-binary       image/png                  An image that never
                                                              changes.
        test://watched-resource    text/plain                 A text to subscribe to.
        ui://fixture/view          text/html;profile=mcp-app  A view (MCP Apps), which
                                                              hosts find by the tool
                                                              that names it.
        test://template/{id}/data  application/json           An item of many.
    "#]]
    .assert_eq(&format!("PROMPT{rest}"));
}

#[test]
fn the_page_of_a_tool() {
    check(
        &["call search --help", "call whoami -h"],
        &expect![[r#"
            $ fixture call search --help
            fixture call search

            Search the records; returns the number of filters.

            Arguments, in brackets if they are optional:
              query=string                Words to look for.
              [limit=integer]             The most results to return. At least 0.
              [filters=array]             Conditions, all of which must hold.
              filters[].field: string     The field's name.
              filters[].op: eq|ne|gt|lt|contains
                                          The comparison.
              filters[].value: string or number
                                          The value to compare with.
              [options=object]            How to search.
              [options.case_sensitive=boolean]
                                          Tell upper from lower case.
              [options.page=object]       Which part of the results to return.
              options.page.offset=integer
                                          How many results to skip. At least 0.
              options.page.size=integer   How many results to return. At least 0.

            $ fixture call whoami -h
            fixture call whoami

            Tell what a tool knows of its call.

            It takes no arguments.
        "#]],
    );
}

#[test]
fn no_line_is_too_wide() {
    for columns in ["80", "42", "120"] {
        for line in
            ["--help", "list", "lint", "call search --help", "call json_schema_2020_12_tool -h"]
        {
            let output = command(line).env("COLUMNS", columns).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= columns.parse().ok(), "{line}:\n{text}");
            assert!(!text.contains('\u{1b}'), "no colours");
        }
    }
}

#[test]
fn the_list_as_json_is_what_clients_get() {
    let listed: Value = serde_json::from_slice(&run("list --json").stdout).unwrap();
    let mut client = TestClient::spawn(&mut fixture()).unwrap().modern();
    client.initialize().unwrap();
    assert_eq!(listed["tools"], json!(client.list_tools().unwrap()));
    for (method, member) in [
        ("prompts/list", "prompts"),
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
    ] {
        assert_eq!(listed[member], client.request(method, json!({})).unwrap()["result"][member]);
        assert!(!listed[member].as_array().unwrap().is_empty(), "{member}");
    }
    let few: Value = serde_json::from_slice(&run("--tools add list --json").stdout).unwrap();
    assert_eq!(few.as_object().unwrap().keys().collect::<Vec<_>>(), ["tools"]);
}

/// The exit status is for scripts and CI.
#[test]
fn lint_fails_if_it_finds_something() {
    check(
        &["lint", "lint --json", "--tools add lint", "--tools add lint --json"],
        &expect![[r#"
            $ fixture lint
            WHERE                       FINDING
            json_schema_2020_12_tool    root-combinator at /inputSchema/allOf
                                        make the arguments one object with a member that
                                        tells the cases apart: model APIs refuse `allOf`
                                        here
            json_schema_2020_12_tool    reference at /inputSchema/properties/address
                                        write the schema `#/$defs/address` out here
            test_input_required_result_multiple_inputs
                                        name-length at /name
                                        shorten the name to 40 characters; it has 42
            test_input_required_result_tampered_state
                                        name-length at /name
                                        shorten the name to 40 characters; it has 41
            [exit status: 1]

            $ fixture lint --json
            {"findings":[{"tool":"json_schema_2020_12_tool","pointer":"/inputSchema/allOf","rule":"root-combinator","advice":"make the arguments one object with a member that tells the cases apart: model APIs refuse `allOf` here"},{"tool":"json_schema_2020_12_tool","pointer":"/inputSchema/properties/address","rule":"reference","advice":"write the schema `#/$defs/address` out here"},{"tool":"test_input_required_result_multiple_inputs","pointer":"/name","rule":"name-length","advice":"shorten the name to 40 characters; it has 42"},{"tool":"test_input_required_result_tampered_state","pointer":"/name","rule":"name-length","advice":"shorten the name to 40 characters; it has 41"}]}
            [exit status: 1]

            $ fixture --tools add lint
            no findings

            $ fixture --tools add lint --json
            {"findings":[]}
        "#]],
    );
}

#[test]
fn config_names_the_program_and_its_own_arguments() {
    for (line, arguments) in [("config", json!([])), ("--legacy config", json!(["--legacy"]))] {
        let output = run(line);
        assert!(output.stdout.starts_with(b"{\"mcpServers\":{\"fixture\":{"), "{output:?}");
        let config: Value = serde_json::from_slice(&output.stdout).unwrap();
        let program = fs::canonicalize(env!("CARGO_BIN_EXE_fixture")).unwrap();
        let server = json!({"type": "stdio", "command": program, "args": arguments});
        assert_eq!(config, json!({"mcpServers": {"fixture": server}}));
    }
}

/// bash itself runs the script. It has split the words already, also at each `=`.
#[test]
fn bash_completes_words() {
    const TYPED: [(&str, &str); 8] = [
        ("li", "list |lint |"),
        ("call search", "search |"),
        ("call add ''", "a=|b=|--json |"),
        ("call add a", "a=|"),
        ("call add a =", ""),
        ("call add a = 2 ''", "b=|--json |"),
        ("completions ''", "bash |zsh |fish |"),
        ("config ''", ""),
    ];
    let script = String::from_utf8(run("completions bash").stdout).unwrap();
    // As a person starts it, and with what bash is told to complain about.
    let mut test = "set -eu; eval \"$(\"$0\" completions bash)\"\n".to_owned();
    test += "complete -p fixture | grep -q -- '-o nospace .*-F _fixture'\n";
    for (words, _) in TYPED {
        let _ = writeln!(
            test,
            "COMP_WORDS=(\"$0\" {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _fixture\n\
             printf '%s|' ${{COMPREPLY[@]+\"${{COMPREPLY[@]}}\"}}; echo"
        );
    }
    let mut bash = Command::new("bash");
    bash.env_clear().env("HOME", "/").env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = bash.args(["-c", &test, env!("CARGO_BIN_EXE_fixture")]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = TYPED.map(|(_, found)| if found.is_empty() { "|" } else { found });
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((said.lines().collect::<Vec<_>>(), &*errors), (expected.to_vec(), ""));
    assert!(output.status.success());
    // Those that macOS does not have.
    for newer in
        ["mapfile", "readarray", "compopt", "declare -A", "local -A", "local -n", "source <("]
    {
        assert!(!script.contains(newer), "{newer}");
    }
}
