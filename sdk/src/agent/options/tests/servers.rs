//! MCP servers as the CLI reads them.

use std::time::Duration;

use expect_test::expect;
use serde_json::json;

use super::harness::{added, complaints, lines, options, registry};
use crate::agent::options::{AgentOptions, McpServer};

#[test]
fn a_registry_is_named_and_not_written() {
    assert_eq!(
        added(|b| b.mcp_server(registry("calc"))),
        [r#"--mcp-config={"mcpServers":{"calc":{"type":"sdk","name":"calc"}}}"#]
    );
    let calc = registry("calc");
    assert_eq!(added(|b| b.mcp_server(&calc)), added(|b| b.mcp_server(calc.clone())));
}

#[test]
fn all_kinds_at_once_in_the_order_in_which_they_were_added() {
    let args = added(|b| {
        b.mcp_server(
            McpServer::http("web", "https://a.example/mcp")
                .timeout(Duration::from_millis(1500))
                .always_load(true),
        )
        .mcp_server(registry("calc"))
        .mcp_server(McpServer::sse("old", "http://127.0.0.1:1/sse").always_load(false))
        .mcp_server(McpServer::stdio("files", "/bin/files").args(["-v", "--root=/"]))
        .mcp_server(McpServer::in_process(&registry("notes")).timeout(Duration::from_secs(60)))
        .mcp_config("more.json")
    });
    lines(
        expect![[r#"
        --mcp-config=/files/mcp-config.json
        --mcp-config=more.json
        # mcp-config.json: {"mcpServers":{"web":{"type":"http","url":"https://a.example/mcp","timeout":1500,"alwaysLoad":true},"calc":{"type":"sdk","name":"calc"},"old":{"type":"sse","url":"http://127.0.0.1:1/sse","alwaysLoad":false},"files":{"type":"stdio","command":"/bin/files","args":["-v","--root=/"]},"notes":{"type":"sdk","name":"notes","timeout":60000}}}
    "#]],
        args,
    );
}

#[test]
fn what_others_must_not_see_goes_by_file() {
    let servers = [
        McpServer::stdio("files", "files").env("TOKEN", "secret"),
        McpServer::stdio("files", "files").args(["--token=secret"]),
        McpServer::http("web", "https://user:secret@a.example"),
        McpServer::sse("old", "https://a.example/?token=secret"),
        McpServer::http("web", "https://a.example").header("Authorization", "secret"),
        McpServer::sse("old", "https://a.example")
            .field("oauth", json!({"clientSecret": "secret"})),
    ];
    for server in servers {
        let args = added(|b| b.mcp_server(registry("calc")).mcp_server(server));
        assert_eq!(args[0], "--mcp-config=/files/mcp-config.json");
        assert!(
            args[1].starts_with(
                r#"# mcp-config.json: {"mcpServers":{"calc":{"type":"sdk","name":"calc"},"#
            ) && args[1].contains("secret")
        );
        assert_eq!(args.len(), 2);
    }
}

#[test]
fn fields_win() {
    let args = added(|b| {
        b.mcp_server(McpServer::stdio("a", "x").field("type", "other").field("cwd", "/"))
    });
    lines(
        expect![[r#"
        --mcp-config=/files/mcp-config.json
        # mcp-config.json: {"mcpServers":{"a":{"type":"other","command":"x","cwd":"/"}}}
    "#]],
        args,
    );
}

#[test]
fn the_client_gets_the_registries() {
    let options = options(|b| {
        b.mcp_server(registry("a")).mcp_server(McpServer::stdio("b", "b")).mcp_server(registry("c"))
    });
    assert_eq!(options.tools.registries().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "c"]);
    assert!(options.tools.needs_answers());
    let again = options.to_builder().mcp_server(registry("d")).build().unwrap();
    assert_eq!(again.tools.registries().count(), 3);
    assert!(!AgentOptions::default().tools.needs_answers());
}

#[test]
fn two_registries_of_one_name() {
    let other = McpServer::in_process(&registry("calc")).named("other");
    assert_eq!(
        added(|b| b.mcp_server(registry("calc")).mcp_server(other)),
        [concat!(
            r#"--mcp-config={"mcpServers":{"calc":{"type":"sdk","name":"calc"},"#,
            r#""other":{"type":"sdk","name":"other"}}}"#
        )]
    );
    let other = McpServer::in_process(&registry("calc")).named("my server");
    expect![[
        r#"mcp_server "my server": a name has 1 to 64 letters, digits, `_` and `-` of ASCII"#
    ]]
    .assert_eq(&complaints(|b| b.mcp_server(other)));
}

#[test]
fn bad_names() {
    let long = "a".repeat(65);
    let names = [
        "",
        "a b",
        "a.b",
        "a/b",
        "é",
        "a\0",
        "--bare",
        "__proto__",
        "constructor",
        &long,
        &long[..64],
        "A_b-9",
    ];
    let servers = names.iter().map(|name| McpServer::stdio(*name, "x"));
    expect![[r#"
        mcp_server "": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "a b": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "a.b": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "a/b": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "é": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "a\0": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "__proto__": the name is reserved
        mcp_server "constructor": the name is reserved
        mcp_server "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": a name has 1 to 64 letters, digits, `_` and `-` of ASCII"#]].assert_eq(&complaints(|b| servers.fold(b, |b, server| b.mcp_server(server))));
}

#[test]
fn a_registrys_name_is_checked_too() {
    expect![[r#"
        mcp_server "my server": a name has 1 to 64 letters, digits, `_` and `-` of ASCII
        mcp_server "__proto__": the name is reserved"#]]
    .assert_eq(&complaints(|b| {
        b.mcp_server(registry("my server")).mcp_server(registry("__proto__"))
    }));
}

#[test]
fn each_name_once() {
    let b = |b: crate::agent::options::AgentOptionsBuilder| {
        b.mcp_server(registry("a"))
            .mcp_server(McpServer::stdio("a", "x"))
            .mcp_server(registry("a"))
            .mcp_server(registry("b"))
    };
    expect![[r#"mcp_server "a": there is more than one of that name"#]].assert_eq(&complaints(b));
}

#[test]
fn what_does_not_fit_the_kind() {
    expect![[r#"
        mcp_server "calc": `env` is for programs
        mcp_server "calc": `always_load` is for servers elsewhere; here it is for each tool to say
        mcp_server "web": `args` is for programs
        mcp_server "files": a timeout is at least 1 s
        mcp_server "files": `header` is for servers behind a URL"#]]
    .assert_eq(&complaints(|b| {
        b.mcp_server(McpServer::in_process(&registry("calc")).env("A", "b").always_load(true))
            .mcp_server(McpServer::http("web", "https://a.example").args(["x"]))
            .mcp_server(
                McpServer::stdio("files", "x").header("a", "b").timeout(Duration::from_millis(999)),
            )
    }));
}

#[test]
fn what_cannot_be_reached() {
    expect![[r#"
        mcp_server "a": the command is empty
        mcp_server "b": the command, an argument or a variable has a zero byte
        mcp_server "c": the name of a variable is empty or has a `=`
        mcp_server "d": the command, an argument or a variable has a zero byte
        mcp_server "e": the URL begins neither with http:// nor with https://
        mcp_server "f": the URL begins neither with http:// nor with https://
        mcp_server "g": a header has no name, or a line break or zero byte
        mcp_server "i": the name of a variable is empty or has a `=`
        mcp_server "j": the command, an argument or a variable has a zero byte
        mcp_server "k": a header has no name, or a line break or zero byte
        mcp_server "l": a header has no name, or a line break or zero byte
        mcp_server "m": a header has no name, or a line break or zero byte
        mcp_server "n": a header has no name, or a line break or zero byte"#]]
    .assert_eq(&complaints(|b| {
        b.mcp_server(McpServer::stdio("a", ""))
            .mcp_server(McpServer::stdio("b", "x").args(["\0"]))
            .mcp_server(McpServer::stdio("c", "x").env("A=", "b"))
            .mcp_server(McpServer::stdio("d", "x").env("A", "\0"))
            .mcp_server(McpServer::http("e", "a.example"))
            .mcp_server(McpServer::sse("f", "https://"))
            .mcp_server(McpServer::http("g", "https://a.example").header("A", "b\r\nC: d"))
            .mcp_server(McpServer::http("h", "${BASE}/mcp"))
            .mcp_server(McpServer::stdio("i", "x").env("", "b"))
            .mcp_server(McpServer::stdio("j", "x").env("A\0", "b"))
            .mcp_server(McpServer::http("k", "https://a.example").header("", "b"))
            .mcp_server(McpServer::http("l", "https://a.example").header("A\n", "b"))
            .mcp_server(McpServer::http("m", "https://a.example").header("A", "b\rc"))
            .mcp_server(McpServer::http("n", "https://a.example").header("A", "b\nc"))
            .mcp_server(McpServer::stdio("o", "x").timeout(Duration::from_secs(1)))
    }));
}

#[cfg(unix)]
#[test]
fn a_command_that_json_cannot_say() {
    use std::os::unix::ffi::OsStrExt;
    let command = std::ffi::OsStr::from_bytes(b"\xff");
    expect![[r#"mcp_server "a": the command is no UTF-8, which JSON needs"#]]
        .assert_eq(&complaints(|b| b.mcp_server(McpServer::stdio("a", command))));
}

/// CLI 2.1.328 silently drops a server whose timeout is more than JavaScript can hold.
#[test]
fn a_timeout_for_ever_is_a_number_that_the_cli_takes() {
    for server in [McpServer::stdio("files", "x"), McpServer::in_process(&registry("notes"))] {
        assert_eq!(server.timeout(Duration::MAX).config()["timeout"], 9_007_199_254_740_991_u64);
    }
}
