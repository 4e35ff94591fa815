//! Assertions on what a CLI has played, whose panics show what was expected and what there is.

use std::fmt::Write as _;

use super::recorder::{PlayedCall, Recorder};

impl Recorder {
    /// The one call of this tool.
    ///
    /// ```
    /// # use toolwright::agent::{AgentOptions, query_with};
    /// # use toolwright::testing::ScriptedCli;
    /// # use toolwright::json;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let cli = ScriptedCli::new()
    ///     .builtin("Bash", "3 files")
    ///     .turn(|turn| turn.call("Bash", json!({"command": "ls"})).say_result());
    /// let seen = cli.seen();
    /// let options = AgentOptions::builder().allowed_tools(["Bash"]).build()?;
    /// query_with(cli, "What is here?", options).await?.finish().await?;
    ///
    /// assert_eq!(seen.expect_call("Bash").text, "3 files");
    /// seen.expect_no_call("Write");
    /// seen.expect_all_played();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// There is none, or more than one.
    #[track_caller]
    pub fn expect_call(&self, tool: &str) -> PlayedCall {
        let calls = self.calls();
        let mut found = calls.iter().filter(|call| call.name == tool);
        match (found.next(), found.next()) {
            (Some(call), None) => call.clone(),
            (None, _) => panic!("{tool} was to be called, and was not{}", shown(&calls)),
            _ => panic!("{tool} was to be called once{}", shown(&calls)),
        }
    }

    /// This tool is in no answer of the script that was played. A call counts though it was denied
    /// or has no result.
    ///
    /// # Panics
    ///
    /// There is a call.
    #[track_caller]
    pub fn expect_no_call(&self, tool: &str) {
        let calls = self.calls();
        let has_result = calls.iter().any(|call| call.name == tool);
        let how = if has_result { "" } else { ", and was, without a result" };
        assert!(!self.is_called(tool), "{tool} was not to be called{how}{}", shown(&calls));
    }

    /// All turns of the script were played, those of subagents too, and a run that is
    /// [replayed](super::ScriptedCli::replay) was as its recording.
    ///
    /// # Panics
    ///
    /// Turns are left, or the run differs from its recording.
    #[track_caller]
    pub fn expect_all_played(&self) {
        if let Some(difference) = self.difference() {
            panic!("{difference}");
        }
        match self.unplayed_turns() {
            Some(0) => {}
            None => panic!("no turn was played: there was no prompt"),
            Some(left) => {
                let prompts = self.prompts();
                panic!("the script goes on after the prompts {prompts:?}, by {left} turn(s)");
            }
        }
    }
}

/// The calls, one a line.
fn shown(calls: &[PlayedCall]) -> String {
    let mut text = String::from("; the calls:");
    for PlayedCall { name, input, text: result, is_error, .. } in calls {
        let input = input.as_ref().map_or_else(|| "(denied)".to_owned(), ToString::to_string);
        let kind = if *is_error { "error" } else { "result" };
        // Writing to a string does not fail.
        let _ = write!(text, "\n  {name} {input}\n    {kind}: {result}");
    }
    if calls.is_empty() {
        text.push_str(" none");
    }
    text
}
