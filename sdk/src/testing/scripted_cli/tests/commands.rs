//! What is read of commands of `Bash`.

use serde_json::json;

use super::super::{arguments, command};

#[test]
fn a_rule_has_the_name_of_a_subcommand_or_the_whole_command() {
    for (command, rule) in [
        ("make", "make"),
        ("git commit -m 'a; b'", "git commit *"),
        ("git\tcommit", "git commit *"),
        ("git -C x commit", "git -C x commit"),
        ("touch a.txt", "touch a.txt"),
        ("A=1 touch x", "A=1 touch x"),
        ("sudo rm x", "sudo rm x"),
        ("git commit; rm x", "git commit; rm x"),
        ("git commit > x", "git commit > x"),
        ("git commit $(rm x)", "git commit $(rm x)"),
        ("git commit 'x", "git commit 'x"),
        ("", ""),
    ] {
        assert_eq!(command::suggested(command), rule);
    }
}

#[test]
fn a_rule_with_a_beginning_is_about_single_commands() {
    for (rule, command, is_about) in [
        ("git commit *", "git commit", true),
        ("git commit *", "git commit -m \"a && b\"", true),
        ("git:*", "git push", true),
        ("git:*", "github", false),
        ("git *", "git push && rm x", false),
        ("git *", "git push `rm x`", false),
        ("git *", "git push \"$(rm x)\"", false),
        ("git *", "git push '$(rm x)'", true),
        ("git *", "git push\nrm x", false),
        ("git *", "git push \\; rm x", false),
        ("make", "make", true),
        ("make", "make x", false),
        ("make && x", "make && x", true),
        (" *", "make", false),
        ("*", "make && x", true),
    ] {
        assert_eq!(command::fits(rule, command), is_about, "{rule} {command}");
    }
}

#[test]
fn only_plain_paths_of_certain_commands_are_known() {
    assert_eq!(command::changed("rm -r 'a b' c").unwrap(), ["a b", "c"]);
    for command in ["ls a", "rm", "rm -r", "rm *", "rm ~/a", "rm a; ls", "rm a > b", "rm {a,b}", ""]
    {
        assert_eq!(command::changed(command), None, "{command}");
    }
}

#[test]
fn texts_become_the_values_that_the_schema_wants() {
    let schema = json!({"properties": {
        "count": {"type": "integer"}, "names": {"type": "array"}, "title": {"type": "string"},
    }});
    let given = json!({"count": "3", "names": "[1]", "title": "4", "other": "5"});
    let wanted = json!({"count": 3, "names": [1], "title": "4", "other": "5"});
    assert_eq!(arguments::converted(&schema, given), wanted);
    let round = json!({"properties": {"count": {"$ref": "#/properties/count"}}});
    let given = json!({"count": "3"});
    assert_eq!(arguments::converted(&round, given.clone()), given);
    for kept in [json!({"count": "3.5", "names": "x"}), json!(["3"]), json!(null)] {
        assert_eq!(arguments::converted(&schema, kept.clone()), kept);
    }
}
