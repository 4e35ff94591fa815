//! Requests that change how the session goes on: its model, mode, settings, name and folder.

use std::path::Path;

use serde_json::{Value, json};

use super::answer::Answer;
use super::cli::Cli;
use super::json::{merge, str};
use super::setup::DEFAULT_MODEL;

/// The permission modes that there are.
const MODES: [&str; 6] = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/// What the CLI says to a rewind without `enable_file_checkpointing`; no file changes here.
const NO_REWINDING: &str = "File rewinding is not enabled.";

/// What the CLI says to a model without a name.
const NO_MODEL: &str = "Model \"(unrecognized model name)\" is not a recognized model id. Run \
    /model to see available models.";

/// What the CLI says to a mode that is none of these.
pub(super) fn unknown_mode(mode: &str) -> Option<String> {
    let error = format!("Cannot set permission mode: must be one of {}", MODES.join(", "));
    (!MODES.contains(&mode)).then_some(error)
}

impl Cli {
    /// The answer, unless the request is of another kind.
    pub(super) fn steer(&self, subtype: &str, request: &Value) -> Option<Answer> {
        Some(match subtype {
            "set_model" if request["model"].as_str().is_some_and(|it| it.trim().is_empty()) => {
                Answer::coded_refusal("catalog_unknown", NO_MODEL)
            }
            "set_model" => Answer::with(json!({"model": self.set_model(&request["model"])})),
            "set_permission_mode" => self.request_mode(str(&request["mode"])),
            "apply_flag_settings" => self.apply_settings(&request["settings"]),
            "update_settings" => self.update_settings(str(&request["source"])),
            "rename_session" => self.rename(str(&request["title"]).trim()),
            "set_cwd" => Answer::with(self.move_to(request)),
            "cancel_async_message" => {
                let uuid = str(&request["message_uuid"]);
                Answer::with(match self.withdraw_prompt(uuid) {
                    true => json!({"cancelled": true, "message_uuid": uuid}),
                    false => json!({"cancelled": false}),
                })
            }
            // A rewind that cannot be done is refused, and only a dry run answered.
            "rewind_files" => match request["dry_run"] == true {
                true => Answer::with(json!({"canRewind": false, "error": NO_REWINDING})),
                false => Answer::refusal(NO_REWINDING),
            },
            "set_max_thinking_tokens" | "seed_read_state" => Answer::done(),
            // No task runs in the background.
            "stop_task" => Answer::with(json!({})),
            "background_tasks" => Answer::with(match request["tool_use_id"].is_string() {
                true => json!({"backgrounded": false}),
                false => json!({}),
            }),
            _ => return None,
        })
    }

    /// Sets the mode that the answer to a permission request asks for.
    pub(super) fn set_mode(&self, mode: &str) {
        let before = self.mode();
        self.request_mode(mode);
        self.report_change_from(&before);
    }

    pub(super) fn mode(&self) -> String {
        self.state().mode.clone()
    }

    /// Reports the mode if it was another before.
    pub(super) fn report_change_from(&self, before: &str) {
        let mode = self.mode();
        if mode != before {
            self.say_message(json!({
                "type": "system", "subtype": "status", "status": null, "permissionMode": mode,
            }));
        }
    }

    fn request_mode(&self, mode: &str) -> Answer {
        if let Some(error) = unknown_mode(mode) {
            return Answer::coded_refusal("invalid_mode", error);
        }
        if mode == "bypassPermissions" && !self.setup.may_bypass {
            let error = "Cannot set permission mode to bypassPermissions because the session was \
                         not launched with --dangerously-skip-permissions";
            return Answer::coded_refusal("bypass_not_launched", error);
        }
        self.state().mode = mode.to_owned();
        Answer::with(json!({"mode": mode}))
    }

    /// Sets the model and returns it. The model sees a change as the output of a command.
    fn set_model(&self, model: &Value) -> String {
        let model = model.as_str().filter(|model| *model != "default").unwrap_or(DEFAULT_MODEL);
        let before = std::mem::replace(&mut self.state().model, model.to_owned());
        if before != model {
            let output =
                format!("<local-command-stdout>Set model to `{model}`</local-command-stdout>");
            self.say_message(json!({
                "type": "user", "message": {"role": "user", "content": output},
                "parent_tool_use_id": null, "isReplay": true,
            }));
        }
        model.to_owned()
    }

    /// Of the settings only the model has an effect here.
    fn apply_settings(&self, settings: &Value) -> Answer {
        let Value::Object(members) = settings else {
            let kind = match settings {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "number",
                Value::String(_) => "string",
                _ => "array",
            };
            let error = "apply_flag_settings requires `settings` to be an object, got";
            return Answer::refusal(format!("{error} {kind}"));
        };
        {
            let state = &mut *self.state();
            merge(&mut state.settings, settings.clone());
            if let Value::Object(kept) = &mut state.settings {
                kept.retain(|_, value| !value.is_null());
            }
        }
        if let Some(model) = members.get("model") {
            self.set_model(model);
        }
        Answer::done()
    }

    /// Settings of files are not kept.
    fn update_settings(&self, source: &str) -> Answer {
        match self.setup.reads_files {
            true => Answer::done(),
            false => Answer::refusal(format!(
                "update_settings: the {source} source is disabled for this session \
                 (--setting-sources)"
            )),
        }
    }

    fn rename(&self, title: &str) -> Answer {
        if title.is_empty() {
            return Answer::refusal("title must be non-empty");
        }
        self.set_title(title);
        Answer::done()
    }

    /// Gives the session another title.
    pub(super) fn set_title(&self, title: &str) {
        self.state().title = Some(title.to_owned());
        self.say_message(
            json!({"type": "system", "subtype": "session_title_changed", "title": title}),
        );
    }

    /// Another folder than the first needs trust.
    fn move_to(&self, request: &Value) -> Value {
        let path = str(&request["path"]);
        if !Path::new(&self.cwd()).join(path).is_dir() {
            let message = format!("Couldn't find a directory at {path}.");
            return json!({"status": "rejected", "reason": "not_found", "message": message});
        }
        let before = self.cwd();
        let is_trusted = path == before || path == self.setup.cwd;
        if !is_trusted && request["trust_accepted"] != true {
            return json!({"status": "needs_trust", "directory": path});
        }
        {
            let state = &mut *self.state();
            state.cwd = path.to_owned();
            state.transcript.iter_mut().for_each(|transcript| transcript.move_to(path));
        }
        let changed = path != before;
        json!({"status": "ok", "cwd": path, "changed": changed, "transcript_relocated": true})
    }
}
