use toolwright::{Completing, Prompt, PromptArgument, prompt};

use super::Completer;
use crate::mcp::call::Kind;

async fn later(typed: &str, _: &Completing) -> [String; 1] {
    [typed.to_owned()]
}

fn at_once<'a>(typed: &'a str, _: &Completing) -> Vec<&'a str> {
    vec![typed]
}

#[prompt]
async fn review(
    #[arg(complete = later)] later: &str,
    #[arg(complete = at_once)] at_once: &str,
    draft: bool,
) -> String {
    format!("{later} {at_once} {draft}")
}

#[test]
fn plain_functions_may_block_and_others_run_on_the_serving_loop() {
    let kind = |completer: Option<Completer>| completer.map(|completer| completer.kind);
    let review = review::prompt();
    assert_eq!(kind(review.completer("later")), Some(Kind::Async));
    assert_eq!(kind(review.completer("at_once")), Some(Kind::Sync));
    assert_eq!(kind(review.completer("draft")), Some(Kind::Async));
    assert_eq!(kind(review.completer("none")), None);

    let arguments = ["later", "at_once"].map(|name| PromptArgument::required(name, ""));
    let review = Prompt::new("review", "", arguments, async |_, _| "Hello");
    let review = review.complete("later", async |typed, _| vec![typed]);
    let review = review.complete("at_once", |typed, _| vec![typed]);
    assert_eq!(kind(review.completer("later")), Some(Kind::Async));
    assert_eq!(kind(review.completer("at_once")), Some(Kind::Sync));
}
