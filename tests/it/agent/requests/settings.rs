use std::fs;

use serde_json::json;
use toolwright::agent::ControlError;
use toolwright::agent::options::{Plugin, SettingSource};
use toolwright::agent::requests::{ReloadPlugins, SettingsTarget};

use super::{Scene, connect, within};

#[tokio::test]
async fn settings_change_while_a_session_runs() {
    let Some(scene) = Scene::open().await else { return };
    let sources = [SettingSource::User, SettingSource::Local];
    let client = connect(scene.options().setting_sources(sources)).await;
    within(client.apply_flag_settings(json!({"model": "opus"}))).await.unwrap();
    let style = json!({"outputStyle": "Explanatory"});
    within(client.update_settings(SettingsTarget::Local, style)).await.unwrap();
    let error = within(client.update_settings(SettingsTarget::User, json!({"model": "opus"})))
        .await
        .unwrap_err();
    assert!(matches!(&error, ControlError::Refused { message, .. } if message.contains("model")));
    let report = within(client.get_settings()).await.unwrap();
    assert!(report.applied.model.starts_with("claude-opus-"), "{report:?}");
    assert_eq!(report.effective.to_value()["model"], "opus");
    let flags = report.sources.iter().find(|source| source.source == "flagSettings").unwrap();
    assert_eq!(flags.settings.to_value(), json!({"model": "opus"}));
    within(client.close()).await;
}

#[tokio::test]
async fn rules_plugins_skills_and_hooks_are_listed() {
    let Some(scene) = Scene::open().await else { return };
    for name in ["one", "two"] {
        let plugin = scene.project().join(name);
        fs::create_dir_all(plugin.join(".claude-plugin")).unwrap();
        let manifest = json!({"name": name, "version": "1.2.3"}).to_string();
        fs::write(plugin.join(".claude-plugin/plugin.json"), manifest).unwrap();
        fs::create_dir(plugin.join("hooks")).unwrap();
        let hook = json!({"type": "command", "command": "true", "timeout": 5});
        let hooks = json!({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [hook]}]}});
        fs::write(plugin.join("hooks/hooks.json"), hooks.to_string()).unwrap();
        fs::create_dir_all(plugin.join("skills/sing")).unwrap();
        let skill = "---\nname: sing\ndescription: Sings.\n---\nSing.\n";
        fs::write(plugin.join("skills/sing/SKILL.md"), skill).unwrap();
    }
    let repository = scene.project().join("repository");
    fs::create_dir(&repository).unwrap();
    let options = scene
        .options()
        .allowed_tools(["Bash(git log *)"])
        .add_dir(scene.temporary())
        .plugins([scene.project().join("one")]);
    let client = connect(options).await;

    let rules = within(client.list_permission_rules()).await.unwrap();
    let rule = &rules.rules[0];
    assert_eq!((rule.rule.as_str(), rule.behavior.as_str()), ("Bash(git log *)", "allow"));
    assert_eq!((rule.source.as_str(), rule.editability.as_str()), ("cliArg", "session"));
    assert_eq!(rules.workspace_directories[0].source, "cliArg");
    assert!(rules.original_cwd.ends_with("/project") && !rules.managed_only);

    let second = Plugin::local(scene.project().join("two")).skip_mcp_discovery(true);
    let reload =
        ReloadPlugins::default().hold_on_cache_impact().refuse_if_busy().add_plugins([second]);
    let reloaded = within(client.reload_plugins(reload)).await.unwrap();
    let two = reloaded.plugins.iter().find(|plugin| plugin.name == "two").unwrap();
    assert_eq!(two.version.as_deref(), Some("1.2.3"));
    assert_eq!((reloaded.error_count, reloaded.held), (0, Some(false)));
    assert!(reloaded.agents.iter().any(|agent| agent.name == "Explore"));
    let skills = within(client.reload_skills()).await.unwrap();
    assert!(skills.iter().any(|skill| skill.name == "two:sing"), "{skills:?}");
    assert!(reloaded.commands.iter().any(|command| command.name == "two:sing"));
    let styles = within(client.reload_output_styles()).await.unwrap();
    assert!(styles.contains(&"Explanatory".to_owned()), "{styles:?}");

    let hooks = within(client.get_hooks_listing()).await.unwrap();
    let [hook, _] = hooks.hooks.as_slice() else { panic!("{hooks:?}") };
    assert_eq!((hook.event.as_str(), hook.matcher.as_str()), ("PreToolUse", "Bash"));
    assert_eq!((hook.r#type.as_str(), hook.command_text.as_str()), ("command", "true"));
    assert_eq!((hook.source.as_str(), hook.timeout), ("pluginHook", Some(5.0)));
    within(client.register_repo_root(&repository)).await.unwrap();
    assert!(within(client.register_repo_root(scene.project())).await.is_err());
    within(client.close()).await;
}
