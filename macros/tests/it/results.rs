//! What a function may return.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use toolwright::{
    Audio, Content, EmbeddedResource, Image, Json, ResourceLink, Tool, ToolResult, data, json,
    tool, tools,
};

use super::{error, listed, read, result, text};

#[data]
struct Sum {
    value: i64,
}

macro_rules! returning {
    ($($name:ident: $type:ty = $value:expr;)*) => {
        $(#[tool]
        async fn $name() -> $type {
            $value
        })*
    };
}

returning! {
    text_owned: String = "text".to_owned();
    text_static: &'static str = "text";
    text_cow: Cow<'static, str> = "text".into();
    text_boxed: Box<str> = "text".into();
    signed: i64 = -1;
    large: u128 = u128::MAX;
    float: f64 = 1.0;
    truth: bool = true;
    letter: char = 'x';
    structured: Json<Sum> = Json(Sum { value: 3 });
    list: Json<Vec<u8>> = Json(vec![1, 2]);
    image: Image = Image::png([0]);
    audio: Audio = Audio::wav([0]);
    link: ResourceLink = ResourceLink::new("file:///x", "x");
    resource: EmbeddedResource = EmbeddedResource::text("file:///x", "text/plain", "text");
    content: Content = Content::text("text");
    contents: Vec<Content> = vec![Content::text("one"), Image::png([0]).into(), Content::text("two")];
    some: Option<String> = Some("text".to_owned());
    none: Option<String> = None;
    whole: ToolResult = ToolResult::text("text").with_meta("key", 1);
    maybe_in_result: Result<Option<Json<Sum>>, String> = Ok(Some(Json(Sum { value: 3 })));
    result_in_option: Option<Result<u8, String>> = Some(Err("failed".to_owned()));
}

#[test]
fn every_form_becomes_a_result() {
    for tool in tools![text_owned, text_static, text_cow, text_boxed, content, some, whole] {
        assert_eq!(text(tool, json!({})), "text");
    }
    assert_eq!(text(signed::tool(), json!({})), "-1");
    assert_eq!(text(large::tool(), json!({})), "340282366920938463463374607431768211455");
    assert_eq!(text(float::tool(), json!({})), "1");
    assert_eq!(text(truth::tool(), json!({})), "true");
    assert_eq!(text(letter::tool(), json!({})), "x");
    assert_eq!(text(contents::tool(), json!({})), "one\ntwo");
    for tool in tools![image, audio, link, resource] {
        assert_eq!(result(tool, json!({})).content.len(), 1);
    }
    assert_eq!(result(none::tool(), json!({})), ToolResult::default());
    assert_eq!(result(whole::tool(), json!({})).meta.unwrap()["key"], 1);
    assert_eq!(error(result_in_option::tool(), json!({})), "failed");
}

#[test]
fn only_json_promises_a_structure() {
    assert_eq!(result(structured::tool(), json!({})).structured_content(), Some(r#"{"value":3}"#));
    assert_eq!(text(structured::tool(), json!({})), r#"{"value":3}"#);
    assert_eq!(listed(structured::tool())["outputSchema"]["required"], json!(["value"]));
    assert_eq!(listed(list::tool())["outputSchema"]["required"], json!(["result"]));
    assert_eq!(
        result(maybe_in_result::tool(), json!({})).structured_content(),
        Some(r#"{"value":3}"#)
    );
    for tool in tools![maybe_in_result, text_owned, none, whole] {
        assert_eq!(listed(tool).get("outputSchema"), None);
    }
}

#[tool]
async fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

#[tool]
fn rest_of_words(words: &[String]) -> Result<&str, String> {
    words.last().map(String::as_str).ok_or_else(|| "no words".to_owned())
}

#[test]
fn a_result_may_borrow_from_the_arguments() {
    assert_eq!(text(first_word::tool(), json!({"text": "a b"})), "a");
    assert_eq!(text(rest_of_words::tool(), json!({"words": ["a", "b"]})), "b");
    assert_eq!(error(rest_of_words::tool(), json!({"words": []})), "no words");
}

/// Says what happened, and knows why.
#[derive(Debug)]
struct Failed(std::num::ParseIntError);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bad page")
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn failed() -> Failed {
    Failed("x".parse::<u8>().unwrap_err())
}

/// Displays and is no `Error`, as `anyhow::Error` is, which says its causes by the alternate form.
struct Anyhow(Failed);

impl fmt::Display for Anyhow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => write!(f, "{}: {}", self.0, self.0.0),
            false => write!(f, "{}", self.0),
        }
    }
}

type AnyhowResult<T, E = Anyhow> = Result<T, E>;
type BoxResult<T> = Result<T, Box<dyn Error>>;
type OneResult = std::io::Result<()>;

returning! {
    fails_with_str: Result<(), &'static str> = Err("plain");
    fails_with_string: Result<u8, String> = Err("plain".to_owned());
    fails_with_cow: Result<u8, Cow<'static, str>> = Err("plain".into());
    fails_by_alias: OneResult = Err(std::io::Error::other("plain"));
    fails_with_causes: Result<Json<Sum>, Failed> = Err(failed());
    fails_by_anyhow: AnyhowResult<Vec<Content>> = Err(Anyhow(failed()));
    fails_in_a_box: BoxResult<String> = Err(Box::new(failed()));
    fails_in_a_sendable_box: Result<String, Box<dyn Error + Send + Sync>> = Err(Box::new(failed()));
    fails_in_a_half_sendable_box: Result<String, Box<dyn Error + Send>> = Err(Box::new(failed()));
    fails_in_a_box_of_text: Result<String, Box<dyn Error + Send + Sync>> = Err("plain".into());
    fails_in_a_box_of_its_own: Result<String, Box<Failed>> = Err(Box::new(failed()));
}

#[test]
fn an_error_is_told_with_its_causes() {
    let plain: [Tool; 5] = tools![
        fails_with_str,
        fails_with_string,
        fails_with_cow,
        fails_by_alias,
        fails_in_a_box_of_text
    ];
    for tool in plain {
        assert_eq!(error(tool, json!({})), "plain");
    }
    let with_causes = tools![
        fails_with_causes,
        fails_by_anyhow,
        fails_in_a_box,
        fails_in_a_sendable_box,
        fails_in_a_half_sendable_box,
        fails_in_a_box_of_its_own
    ];
    for tool in with_causes {
        assert_eq!(
            error(tool.clone(), json!({})),
            "bad page: invalid digit found in string",
            "{}",
            tool.name()
        );
    }
    assert_eq!(
        read(&listed(fails_with_causes::tool())["outputSchema"].to_string())["type"],
        "object"
    );
}
