use serde_json::Map;
use toolwright::{Completing, Context, Prompt, PromptArgument, data, prompt};

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

#[data]
#[derive(Debug)]
enum Tone {
    /// Kind words only.
    Warm,
    Wry,
    Cold,
}

#[prompt]
fn greet(tone: Option<Tone>) -> String {
    format!("{tone:?}")
}

#[tokio::test]
async fn variants_without_documentation_are_values_too() {
    let completer = greet::prompt().completer("tone").expect("it is an enum");
    let typed = async |typed: &str| {
        let at = Completing { chosen: Map::new(), context: Context::detached() };
        let mut values = (completer.complete)(typed.to_owned(), at).await;
        values.sort();
        values
    };
    assert_eq!(typed("").await, ["Cold", "Warm", "Wry"]);
    assert_eq!(typed("W").await, ["Warm", "Wry"]);
}
