//! Permissions.

use std::future::Future;

use serde_json::{Value, json};
use toolwright::agent::options::{InlineSettings, SettingSource};
use toolwright::agent::permission::{
    PermissionBehavior, PermissionRuleValue, PermissionUpdate, PermissionUpdateDestination,
};
use toolwright::agent::{
    AgentOptionsBuilder, HookMatcher, HookOutput, Permission, PermissionMode, PermissionRequest,
};
use toolwright::testing::Reply;

use super::super::scene::within;
use super::stage::Stage;
use super::tools::{add, done};

async fn decide<Fut>(stage: &mut Stage, answer: fn(PermissionRequest) -> Fut)
where
    Fut: Future<Output = Permission> + Send + 'static,
{
    let log = stage.asked.clone();
    let options = stage.options().mcp_server(stage.registry()).can_use_tool(
        move |request: PermissionRequest| {
            log.note(serde_json::from_str(request.raw()).unwrap());
            answer(request)
        },
    );
    // A rule for ever is stored in this file. When the real CLI hears that a file has changed, it
    // forgets the rules of files that it does not read: in a short run, only on a slow machine.
    stage.play(options.setting_sources([SettingSource::Local])).await;
}

pub(super) async fn denied(stage: &mut Stage) {
    stage.script([add(), done()]);
    decide(stage, |_| async { Permission::deny("not on a Sunday") }).await;
}

pub(super) async fn denied_for_good(stage: &mut Stage) {
    stage.script([add(), done()]);
    decide(stage, |_| async { Permission::deny("stop it").and_interrupt() }).await;
}

pub(super) async fn allowed_with_another_input(stage: &mut Stage) {
    stage.script([add(), done()]);
    decide(stage, |_| async { Permission::allow().with_input(json!({"a": 20, "b": 3})) }).await;
}

pub(super) async fn allowed_for_ever(stage: &mut Stage) {
    stage.script([add(), add(), Reply::new().text("Twice.")]);
    decide(stage, |request| async { Permission::allow().with_updates(request.suggestions) }).await;
}

/// Without a callback nobody is asked.
pub(super) async fn not_granted(stage: &mut Stage) {
    stage.script([add(), done()]);
    stage.play(stage.options().mcp_server(stage.registry())).await;
}

pub(super) async fn never_asked(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage.options().mcp_server(stage.registry());
    stage.play(options.permission_mode(PermissionMode::DontAsk)).await;
}

/// By settings of the options. The mode and the model are those of their flags.
pub(super) async fn decided_by_settings(stage: &mut Stage) {
    stage.script([
        add(),
        Reply::new().call("mcp__calc__sum", json!({})),
        Reply::new().call("mcp__calc__fails", json!({})),
        done(),
    ]);
    let settings = InlineSettings::new()
        .allow(["mcp__calc__add"])
        .ask(["mcp__calc__sum"])
        .deny(["mcp__calc__fails"])
        .default_mode(PermissionMode::Plan)
        .model("claude-opus-5-5");
    let log = stage.asked.clone();
    let options = stage.calc().settings(settings).permission_mode(PermissionMode::Default);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(serde_json::from_str(request.raw()).unwrap());
        async { Permission::deny("not on a Sunday") }
    });
    stage.play(options).await;
}

pub(super) async fn never_asked_by_settings(stage: &mut Stage) {
    stage.script([add(), done()]);
    let settings = InlineSettings::new().default_mode(PermissionMode::DontAsk);
    let options = stage.options().mcp_server(stage.registry()).settings(settings);
    stage.play(options.can_use_tool(async |_| Permission::allow())).await;
}

pub(super) async fn bypassed(stage: &mut Stage) {
    stage.script([add(), done()]);
    let options = stage.options().mcp_server(stage.registry()).env("IS_SANDBOX", "1");
    let options = options.allow_dangerously_skip_permissions(true);
    stage.play(options.permission_mode(PermissionMode::BypassPermissions)).await;
}

pub(super) async fn allowed_for_the_session(stage: &mut Stage) {
    stage.script([add(), add(), done()]);
    decide(stage, |request| async {
        let updates = request.suggestions.into_iter();
        let updates = updates.map(|it| it.destination(PermissionUpdateDestination::Session));
        Permission::allow().with_updates(updates.collect::<Vec<_>>())
    })
    .await;
}

fn forget(stage: &mut Stage) {
    let forget = Reply::new().call("mcp__calc__forget", json!({"what": "it"}));
    stage.script([forget, done()]);
}

pub(super) async fn planned(stage: &mut Stage) {
    forget(stage);
    let options = stage.options().mcp_server(stage.registry());
    stage.play(options.permission_mode(PermissionMode::Plan)).await;
}

pub(super) async fn planned_by_rule(stage: &mut Stage) {
    forget(stage);
    let log = stage.asked.clone();
    let options = stage.calc().can_use_tool(move |request: PermissionRequest| {
        log.note(serde_json::from_str(request.raw()).unwrap());
        async { Permission::allow() }
    });
    stage.play(options.permission_mode(PermissionMode::Plan)).await;
}

pub(super) async fn planned_by_a_hook(stage: &mut Stage) {
    forget(stage);
    let options = stage.calc().permission_mode(PermissionMode::Plan);
    let options =
        options.hook(HookMatcher::pre_tool_use("*"), async |_, _| HookOutput::default().allow());
    stage.play(options).await;
}

pub(super) async fn read_by_rule_while_planning(stage: &mut Stage) {
    stage.script([add(), done()]);
    stage.play(stage.calc().permission_mode(PermissionMode::Plan)).await;
}

pub(super) async fn permission_that_fails(stage: &mut Stage) {
    stage.script([add(), done()]);
    decide(stage, |request| async move {
        assert_eq!(request.tool_name, "", "the callback of this test panics");
        Permission::allow()
    })
    .await;
}

pub(super) async fn accepted_edits(stage: &mut Stage) {
    let inside = write(&stage.file("pear.txt"));
    stage.script([inside, write("/toolwright/pear.txt"), done()]).builtin("Write");
    let log = stage.asked.clone();
    let options = stage.options().tools(["Write"]).permission_mode(PermissionMode::AcceptEdits);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(request.input.to_value());
        async { Permission::deny("Not there.") }
    });
    hear_decisions(stage, options).await;
}

/// What is read in the session's folders is not asked for.
pub(super) async fn reads(stage: &mut Stage) {
    let inside = stage.file("pear.txt");
    std::fs::write(&inside, "A pear.").unwrap();
    let call = |tool: &str, input: Value| Reply::new().call(tool, input);
    stage.script([
        call("Read", json!({"file_path": inside})),
        call("Read", json!({"file_path": "/toolwright/pear.txt"})),
        call("Glob", json!({"pattern": "*.txt"})),
        call("Glob", json!({"pattern": "/toolwright/*"})),
        call("Grep", json!({"pattern": "pear"})),
        call("Grep", json!({"pattern": "pear", "path": "/"})),
        done(),
    ]);
    stage.builtin("Read").builtin("Glob").builtin("Grep");
    let log = stage.asked.clone();
    let options = stage.options().tools(["Read", "Glob", "Grep"]);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(request.input.to_value());
        async { Permission::deny("Not there.") }
    });
    hear_decisions(stage, options).await;
}

fn run(command: &str) -> Reply {
    Reply::new().call("Bash", json!({"command": command, "description": "Runs it"}))
}

fn write(path: &str) -> Reply {
    Reply::new().call("Write", json!({"file_path": path, "content": "A pear."}))
}

/// Options whose permission callback notes what it is asked.
fn asking(
    stage: &mut Stage,
    tools: [&str; 2],
    answer: fn(&PermissionRequest) -> Permission,
) -> AgentOptionsBuilder {
    for tool in tools {
        stage.builtin(tool);
    }
    let log = stage.asked.clone();
    stage.options().tools(tools).can_use_tool(move |request: PermissionRequest| {
        log.note(serde_json::from_str(request.raw()).unwrap());
        std::future::ready(answer(&request))
    })
}

/// What is suggested for files in the session's folders, and in others.
pub(super) async fn suggested_for_files(stage: &mut Stage) {
    let read = Reply::new().call("Read", json!({"file_path": "/toolwright/pear.txt"}));
    let replies = [
        write(&stage.file("pear.txt")),
        write(&stage.file("basket/pear.txt")),
        write("/toolwright/pear.txt"),
        read,
        done(),
    ];
    stage.script(replies);
    let options = asking(stage, ["Write", "Read"], |_| Permission::deny("No."));
    hear_decisions(stage, options).await;
}

pub(super) async fn suggested_for_other_files_among_edits(stage: &mut Stage) {
    stage.script([write("/toolwright/pear.txt"), run("touch /toolwright/pear"), done()]);
    let options = asking(stage, ["Write", "Bash"], |_| Permission::deny("No."));
    hear_decisions(stage, options.permission_mode(PermissionMode::AcceptEdits)).await;
}

pub(super) async fn suggested_for_commands(stage: &mut Stage) {
    let commands = [
        "make",
        "make install",
        "git commit -m 'A pear; a plum'",
        "./run.sh all",
        "python3 -c 'print(1)'",
        "sudo rm pear",
        "npm2 Install",
        "touch pear.txt",
        "touch pear plum",
        "mkdir -p basket/small",
        "cp pear.txt plum.txt",
        "rm /toolwright/pear",
    ];
    stage.script(commands.iter().map(|command| run(command)).chain([done()]));
    let options = asking(stage, ["Write", "Bash"], |_| Permission::deny("No."));
    hear_decisions(stage, options).await;
}

/// In the mode that is suggested for a file, files and folders are changed without a question.
pub(super) async fn edits_for_the_session(stage: &mut Stage) {
    let inside = [
        write(&stage.file("plum.txt")),
        write(&stage.file("pear.txt")),
        run("mkdir basket"),
        run("cp pear.txt basket/pear.txt"),
        run("rm plum.txt"),
        run("touch 'a pear'"),
        run("make"),
        write("/toolwright/pear.txt"),
        done(),
    ];
    stage.script(inside);
    let options =
        asking(stage, ["Write", "Bash"], |request| match request.raw().contains("plum") {
            true => request.allow_for_session(),
            false => Permission::deny("No."),
        });
    hear_decisions(stage, options).await;
}

pub(super) async fn commands_for_the_session(stage: &mut Stage) {
    let commands = [
        "toolwright-none",
        "toolwright-none",
        "toolwright-none plain",
        "toolwright-none plain -x 'a; b'",
        "toolwright-none other",
    ];
    stage.script(commands.iter().map(|command| run(command)).chain([done()]));
    let options = asking(stage, ["Write", "Bash"], |request| request.allow_for_session());
    hear_decisions(stage, options).await;
}

pub(super) async fn reads_for_the_session(stage: &mut Stage) {
    let read = |path: &str| Reply::new().call("Read", json!({"file_path": path}));
    stage.script([
        read("/toolwright/pear.txt"),
        read("/toolwright/plum.txt"),
        read("/toolwright/basket/plum.txt"),
        read("/toolwrights/pear.txt"),
        done(),
    ]);
    let options = asking(stage, ["Write", "Read"], |request| request.allow_for_session());
    hear_decisions(stage, options).await;
}

/// Rules about some commands of `Bash`.
pub(super) async fn rules_with_commands(stage: &mut Stage) {
    let commands =
        ["rm pear", "toolwright push", "toolwright", "toolwright pull -v", "toolwright fetch"];
    stage.script(commands.iter().map(|command| run(command)).chain([done()]));
    let rules = InlineSettings::new().ask(["Bash(toolwright fetch:*)"]);
    let options = asking(stage, ["Write", "Bash"], |_| Permission::deny("No."));
    let options = options.settings(rules).allowed_tools(["Bash(toolwright:*)"]);
    let options = options.disallowed_tools(["Bash(rm *)", "Bash(toolwright push)"]);
    hear_decisions(stage, options).await;
}

/// A prompt, of whose turn only the decisions are compared: what the real tools say of a file is of
/// no concern here.
async fn hear_decisions(stage: &mut Stage, options: AgentOptionsBuilder) {
    let mut client = stage.open(options).await;
    within(client.query("Go on.")).await.unwrap();
    let mut decisions = Vec::new();
    while let Some(message) = within(client.next_response()).await {
        let message = serde_json::to_value(message.unwrap()).unwrap();
        decisions.extend(message["tool_result_meta"][0].get("permission_decision").cloned());
    }
    within(client.close()).await;
    stage.asked.note(Value::from(decisions));
}

/// Rules that would allow the tools of several servers, or several built-in ones, allow nothing.
pub(super) async fn wide_rules(stage: &mut Stage) {
    let write = json!({"file_path": stage.file("pear.txt"), "content": "A pear."});
    stage.script([add(), Reply::new().call("Write", write), done()]).builtin("Write");
    let log = stage.asked.clone();
    let rules = InlineSettings::new().allow(["mcp__*", "mcp__ca*", "mcp__calc*"]);
    let options = stage.options().mcp_server(stage.registry()).tools(["Write"]).settings(rules);
    let options = options.allowed_tools(["*", "Write*", "mcp__c*__add"]);
    let options = options.can_use_tool(move |request: PermissionRequest| {
        log.note(json!({"type": "asked", "for": request.tool_name}));
        async { Permission::deny("not on a Sunday") }
    });
    stage.play(options).await;
}

pub(super) async fn wide_rule_in_an_answer(stage: &mut Stage) {
    stage.script([add(), add(), done()]);
    decide(stage, |_| async {
        let rules = [PermissionRuleValue::new("mcp__*")];
        let update = PermissionUpdate::add_rules(rules, PermissionBehavior::Allow);
        Permission::allow().with_updates([update])
    })
    .await;
}
