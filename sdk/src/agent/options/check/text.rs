//! Checks of texts that become arguments: no zero byte, and most must not be empty.

use std::ffi::OsStr;

use super::complaints::Complaints;
use crate::agent::options::AgentOptions;
use crate::agent::options::prompt::Base;

/// Checks each text that becomes an argument or part of one.
pub(super) fn check(options: &AgentOptions, complaints: &mut Complaints) {
    let AgentOptions { prompt, model, tools, session, settings, process, .. } = options;
    let mut texts = Texts { complaints };
    match prompt.system.as_ref().map(|prompt| &prompt.base) {
        Some(Base::Parts(parts)) if parts.is_empty() => {
            texts.complaints.add("system_prompt: it has no parts");
        }
        Some(Base::Text(text)) => texts.without_zero("system_prompt", text),
        Some(Base::File(path)) => texts.full("system_prompt", path),
        _ => {}
    }
    texts.each("append_system_prompt", prompt.appended(), Texts::without_zero);
    texts.each("model", &model.model, Texts::full);
    texts.each("fallback_model", &model.fallback_model, Texts::full);
    texts.each("agent", &model.agent, Texts::full);
    texts.each("betas", &model.betas, Texts::item);
    texts.each("tools", tools.tools.iter().flatten(), Texts::item);
    let mode = tools.permission_mode.as_ref().map(|mode| mode.as_str());
    texts.each("permission_mode", mode, Texts::full);
    texts.each("permission_prompt_tool", &tools.permission_prompt_tool, Texts::full);
    texts.each("mcp_config", &tools.mcp_configs, Texts::full);
    texts.each("resume", &session.resume, Texts::full);
    texts.each("plugins", settings.plugins.iter().map(|plugin| &plugin.path), Texts::full);
    texts.each("cli_path", &process.cli_path, Texts::full);
    texts.each("cwd", &process.cwd, Texts::full);
    texts.each("project_config_root", &process.project_config_root, Texts::full);
    texts.each("user", &process.user, Texts::full);
    texts.each("debug_file", &process.debug_file, Texts::full);
    texts.each("add_dir", &process.add_dirs, Texts::full);
}

struct Texts<'a> {
    complaints: &'a mut Complaints,
}

impl Texts<'_> {
    fn each<T: AsRef<OsStr>>(
        &mut self,
        setter: &str,
        texts: impl IntoIterator<Item = T>,
        check: impl Fn(&mut Self, &str, T),
    ) {
        texts.into_iter().for_each(|text| check(self, setter, text));
    }

    fn without_zero(&mut self, setter: &str, text: impl AsRef<OsStr>) {
        // The text may be confidential, as prompts are, so it is not printed.
        if let Some(at) = memchr::memchr(0, text.as_ref().as_encoded_bytes()) {
            self.complaints.add(format!("{setter}: it has a zero byte at offset {at}"));
        }
    }

    fn full(&mut self, setter: &str, text: impl AsRef<OsStr>) {
        if text.as_ref().is_empty() {
            self.complaints.add(format!("{setter}: it is empty"));
        }
        self.without_zero(setter, text);
    }

    /// An item of a list that is joined with commas and that the CLI also splits at spaces.
    fn item(&mut self, setter: &str, text: impl AsRef<OsStr>) {
        let splits = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
        if text.as_ref().as_encoded_bytes().iter().any(splits) {
            let text = text.as_ref();
            self.complaints
                .add(format!("{setter}: {text:?} has a comma or space, which would make it two"));
        }
        self.full(setter, text);
    }
}
