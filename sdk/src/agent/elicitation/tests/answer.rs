use serde::Serialize;

use super::*;

fn check(answer: &ElicitationAnswer, encoded: Result<&str, &str>) {
    let text = answer.encode().map(|raw| raw.get().to_owned());
    assert_eq!(text, encoded.map(str::to_owned).map_err(str::to_owned));
}

#[test]
fn each_answer_is_written_as_mcp_says() {
    check(&form().decline(), Ok(r#"{"action":"decline"}"#));
    check(&form().cancel(), Ok(r#"{"action":"cancel"}"#));
    let name = json!({"name": "Ann"});
    check(&form().accept(&name), Ok(r#"{"action":"accept","content":{"name":"Ann"}}"#));
}

#[test]
fn a_page_is_accepted_without_content() {
    check(&page().agree(), Ok(r#"{"action":"accept"}"#));
    check(&page().accept(json!({"name": "Ann"})), Ok(r#"{"action":"accept"}"#));
}

#[test]
fn content_that_is_no_object_is_an_error() {
    struct Broken;

    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("it is broken"))
        }
    }

    check(&form().accept("Ann"), Err("the content of the answer is not a JSON object"));
    check(&form().accept(()), Err("the content of the answer is not a JSON object"));
    let broken = "the content of the answer cannot be written as JSON (it is broken)";
    check(&form().accept(Broken), Err(broken));
}
