//! `#[arg(secret)]`: no message has the value.

use std::collections::BTreeMap;

use toolwright::{data, json, tool};

use super::{error, text};

#[data]
struct Login {
    user: String,
    words: BTreeMap<String, u8>,
}

/// Says in its own words what it refuses.
#[derive(Debug, toolwright::Deserialize, toolwright::JsonSchema)]
#[serde(crate = "toolwright::__private::serde", try_from = "String")]
#[schemars(crate = "toolwright::__private::schemars", with = "String")]
struct Odd;

impl TryFrom<String> for Odd {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Err(format!("expected odd, got {text}"))
    }
}

#[tool]
fn secrets(
    #[arg(secret, pattern = "^[a-z]+$", max_length = 3)] text: Option<String>,
    #[arg(secret, max = 9)] number: Option<u8>,
    #[arg(secret, lenient)] flag: Option<bool>,
    #[arg(secret)] login: Option<Login>,
    #[arg(secret)] odd: Option<Odd>,
    #[arg(secret)] needed: u8,
    #[arg(secret = false, lenient = false)] text_too: Option<u8>,
) -> String {
    let login = login.map(|login| (login.user, login.words.len()));
    format!("{text:?}{number:?}{flag:?}{login:?}{odd:?}{needed}{text_too:?}")
}

#[test]
fn no_message_has_the_value_of_a_secret() {
    let values = [
        json!({"text": "S3CRET-", "number": 6660, "flag": "S3CRET", "odd": "S3CRET"}),
        json!({"text": ["S3CRET"], "number": "6660", "flag": {"S3CRET": 1}, "odd": 6660}),
        json!({"login": "S3CRET", "needed": 6660.5, "number": -6660}),
        json!({"login": {"user": 6660, "words": {}}, "needed": "S3CRET"}),
        json!({"login": {"user": "S3CRET", "words": {"S3CRET": "S3CRET"}}, "needed": null}),
        json!({"login": {"S3CRET": 6660}, "needed": [6660], "needed2": 1}),
        json!({"login": [["S3CRET"]], "text": 6660, "number": [6660]}),
    ];
    for value in values {
        let wrong = error(secrets::tool(), value);
        assert!(!wrong.contains("S3CRET") && !wrong.contains("666"), "{wrong}");
        assert!(wrong.contains("secret") && wrong.contains("/needed"), "{wrong}");
    }
    assert_eq!(
        error(secrets::tool(), json!({"text": "ABC", "login": {"a": 1}, "text_too": "1"})),
        "Invalid arguments for `secrets`:\n\
         - /text: expected a match of `^[a-z]+$`, got a secret value, which is not shown\n\
         - /login: the value is refused; it is secret, so it is not shown\n\
         - /text_too: expected integer, got string \"1\": write 1 without quotes\n\
         - /needed: missing, expected integer"
    );
    let taken = json!({"text": "abc", "flag": "true", "needed": 1.0});
    assert_eq!(text(secrets::tool(), taken), "Some(\"abc\")NoneSome(true)NoneNone1None");
}
