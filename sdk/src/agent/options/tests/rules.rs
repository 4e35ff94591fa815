//! Permission rules that the CLI would read as others.

use expect_test::expect;

use super::harness::{added, complaints};

#[test]
fn rules_that_are_one() {
    for rule in [
        "Read",
        "Bash(git log *)",
        "Bash(a, b)",
        "Edit(/src/**)",
        "mcp__calc__*",
        "Bash()",
        "WebFetch(domain:a.example)",
        "Bash(a (b)",
    ] {
        assert_eq!(added(|b| b.allowed_tools([rule])), [format!("--allowedTools={rule}")]);
    }
}

#[test]
fn rules_that_are_none_or_several() {
    let rules = [
        "",
        "  ",
        "Read,Write",
        "Read Write",
        " Read",
        "Bash(echo (a), b)",
        "Bash(a) (b)",
        "Bash(git",
        "Bash(a)b(c",
        "Read\0",
    ];
    expect![[r#"
        allowed_tools: a rule is empty
        allowed_tools: a rule is empty
        allowed_tools: "Read,Write" would be read as 2 rules: Read and Write
        allowed_tools: "Read Write" would be read as 2 rules: Read and Write
        allowed_tools: " Read" has spaces around it
        allowed_tools: "Bash(echo (a), b)" would be read as 2 rules: Bash(echo (a) and b)
        allowed_tools: "Bash(a) (b)" would be read as 2 rules: Bash(a) and (b)
        allowed_tools: "Bash(git" has an opening parenthesis that is never closed
        allowed_tools: "Bash(a)b(c" has an opening parenthesis that is never closed
        allowed_tools: "Read\0" has a zero byte
        disallowed_tools: "a,b" would be read as 2 rules: a and b
        disallowed_tools: "Bash(x" has an opening parenthesis that is never closed"#]]
    .assert_eq(&complaints(|b| b.allowed_tools(rules).disallowed_tools(["a,b", "Bash(x"])));
}
