use super::*;

fn text<T: IntoOutput<K>, K>(value: T) -> String {
    value.into_output().to_text()
}

#[test]
fn plain_values_are_text() {
    assert_eq!(text(42.0), "42");
    assert_eq!(text(0.1 + 0.2), "0.30000000000000004");
    assert_eq!(text(-7i64), "-7");
    assert_eq!(text(true), "true");
    assert_eq!(text("a"), "a");
    assert_eq!(text(String::from("b")), "b");
    assert!(().into_output().content.is_empty());
    assert!(None::<String>.into_output().content.is_empty());
    assert_eq!(text(Some(1)), "1");
    // As `String` has it for other texts.
    let borrowed = String::from("c");
    assert_eq!(ToolResult::default().with(&borrowed).to_text(), "c");
}

#[test]
fn structured_values_have_a_schema_and_a_text_copy() {
    fn schema<T: IntoOutput<K>, K>(_: &T) -> Option<Value> {
        T::output_schema()
    }
    let value: Result<Json<Vec<i32>>, String> = Ok(Json(vec![1, 2]));
    assert!(schema(&value).is_some());
    let result = value.into_output();
    assert_eq!(result.structured_content(), Some("[1,2]"));
    assert_eq!(result.to_text(), "[1,2]");
    assert_eq!(schema(&Some(Json(1))), None, "nothing is promised that `None` would break");
}

#[test]
fn structured_values_may_have_content_of_their_own() {
    fn schema<T: IntoOutput<K>, K>(_: &T) -> Option<Value> {
        T::output_schema()
    }
    let value = Ok::<_, String>(("two numbers", Json(vec![1, 2])));
    assert_eq!(schema(&value), schema(&Json(vec![1, 2])));
    let result = value.into_output();
    assert_eq!(result.structured_content(), Some("[1,2]"));
    assert_eq!(result.to_text(), "two numbers");

    let own = ToolResult::text("seven").with(Image::png(b"7")).with_meta("example.com/cost", 1);
    let result = (own.clone(), Json(7)).into_output();
    assert_eq!((&result.content, &result.meta), (&own.content, &own.meta));
    assert_eq!(result.structured_content(), Some("7"));
    assert!(((), Json(7)).into_output().content.is_empty());

    // Of an error there is no structured content that the schema could be about.
    let refused = (ToolResult::error("no"), Json(7)).into_output();
    assert_eq!(refused, ToolResult::error("no"));
    let unwritable = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert!(("a map", Json(unwritable)).into_output().is_error);
}

#[test]
fn errors_are_results_with_their_causes() {
    let result = Err::<String, _>("no such note").into_output();
    assert!(result.is_error);
    assert_eq!(result.to_text(), "no such note");

    #[derive(Debug)]
    struct Outer(std::num::ParseIntError, &'static str);
    impl Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.1)
        }
    }
    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }
    let cause = || "x".parse::<i32>().unwrap_err();
    assert_eq!(
        WithCauses(Outer(cause(), "bad page")).to_string(),
        "bad page: invalid digit found in string"
    );
    assert_eq!(
        WithCauses(Outer(cause(), "bad: invalid digit found in string")).to_string(),
        "bad: invalid digit found in string"
    );
}

#[test]
fn a_value_is_decoded_from_what_a_tool_has_returned() {
    fn decode<T: DeserializeOwned>(result: impl Into<ToolResult>) -> Result<T, String> {
        result.into().decode().map_err(|error| error.to_string())
    }
    assert_eq!(decode(Json(vec![1, 2]).into_output()), Ok(vec![1, 2]));
    let both = ("one and two", Json(vec![1, 2])).into_output();
    assert_eq!(decode(both), Ok(vec![1, 2]), "the text is for people");
    assert_eq!(decode(true.into_output()), Ok(true));
    assert_eq!(decode("true".into_output()), Ok("true".to_owned()));
    assert_eq!(decode(ToolResult::default()), Ok(()));
    assert!(decode::<bool>("maybe".into_output()).is_err());
    let failed = decode::<String>(ToolResult::error("no such file"));
    assert_eq!(failed, Err("the tool has failed: no such file".to_owned()));
}

#[test]
fn the_bytes_of_sound_and_pictures_come_back() {
    assert_eq!(Image::png([0, 255]).to_bytes(), Some(vec![0, 255]));
    assert_eq!(Audio::wav([0, 255]).to_bytes(), Some(vec![0, 255]));
}
