#![allow(unreachable_pub, reason = "the macros make public items, which a test has no use for")]

use std::sync::Arc;

use serde_json::json;
use serde_json::value::RawValue;

use super::*;

record! {
    /// A server with what it is made of.
    pub struct Server {
        /// Its name.
        pub name: String,
        /// Its configuration.
        pub config: RawJson,
        /// Its tools.
        pub tools: Vec<Tool> = "tools" | "toolList",
        /// What it was asked.
        pub question: Option<RawJson> => object,
        ; raw
    }
}

kept! {
    /// A tool.
    pub struct Tool {
        /// Its name.
        pub name: String,
    }
}

words! {
    /// What is known of a state.
    State {
        /// It is on.
        On = "on",
    }

    /// Where something is kept.
    Place = Session {
        /// In the session.
        Session = "session",
    }
}

fn server(text: &str) -> Server {
    *read(Cursor::of(&text.into())).unwrap()
}

#[test]
fn what_is_kept_shares_the_memory_of_the_whole_text() {
    let text: Arc<str> =
        r#" {"name":"a\n","config":{"deep":[1]},"tools":[{"name":"t","new":2}]} "#.into();
    let server: Server = *read(Cursor::of(&text)).unwrap();
    let within = |part: &str| text.as_bytes().as_ptr_range().contains(&part.as_ptr());
    assert_eq!(server.raw.as_str(), &*text);
    assert_eq!(server.config.get(), r#"{"deep":[1]}"#);
    assert_eq!(server.tools[0].raw(), r#"{"name":"t","new":2}"#);
    assert_eq!(server.tools[0].member("new"), Some("2"));
    assert!(
        [server.raw.as_str(), server.config.get(), server.tools[0].raw()].map(within) == [true; 3]
    );
    assert!(!within(&server.name));
    drop(text);
    assert_eq!(server.config.get(), r#"{"deep":[1]}"#);
}

#[test]
fn a_member_has_several_names_and_its_name_may_be_escaped() {
    for name in ["tools", "toolList", r"to\u006fls"] {
        let server = server(&format!(r#"{{"{name}":[{{"name":"t"}}]}}"#));
        assert_eq!(server.tools.len(), 1, "{name}");
    }
    assert_eq!(
        server(r#"{"tool\list":[{}],"nam\\u0065":"x"}"#),
        Server::default().with_raw(r#"{"tool\list":[{}],"nam\\u0065":"x"}"#)
    );
}

impl Server {
    fn with_raw(self, raw: &str) -> Self {
        Self { raw: Arc::<str>::from(raw).into(), ..self }
    }
}

#[test]
fn a_name_ends_at_its_own_quote() {
    for name in [r"a\\", r#"a\""#, r#"\""#, r#"a\\\"b"#] {
        assert_eq!(server(&format!(r#"{{"{name}":"x","name":"b"}}"#)).name, "b", "{name}");
    }
}

tagged! {
    /// What has a shape.
    pub enum Shape {
        /// It keeps its tag.
        "box" | "cube" => Box(Tagged),
        /// It does not.
        "tool" => Tool(Tool),
    }
}

record! {
    /// What knows its tag.
    pub struct Tagged {
        /// The tag.
        pub r#type: String = "type",
        /// A name.
        pub name: String,
    }
}

#[test]
fn a_tag_is_found_wherever_it_stands_and_read_where_it_is_wanted() {
    for form in [
        r#"{"type":"TAG","name":"n"}"#,
        r#"{"type": "TAG" , "name":"n"}"#,
        r#"{ "type":"TAG","name":"n"}"#,
        r#"{"name":"n","type":"TAG"}"#,
        r#"{"typ\u0065":"TAG","name":"n","type":"TAG"}"#,
    ] {
        let read = |tag| Shape::read(&mut Cursor::of(&form.replace("TAG", tag).into()));
        for tag in ["cube", r"c\u0075be"] {
            let Some(Shape::Box(tagged)) = read(tag) else { panic!("{form}") };
            assert_eq!((tagged.r#type.as_str(), tagged.name.as_str()), ("cube", "n"), "{form}");
        }
        let Some(Shape::Tool(tool)) = read("tool") else { panic!("{form}") };
        assert_eq!((tool.name.as_str(), tool.raw()), ("n", &*form.replace("TAG", "tool")));
    }
    for broken in [r#"{"type":"cube" "name":"n"}"#, r#"{"type":"tool",,}"#, r#"{"type":7}"#] {
        let read = Shape::read(&mut Cursor::of(&broken.into()));
        assert!(matches!(read, Some(Shape::Unknown(raw)) if raw.get() == broken), "{broken}");
    }
}

#[test]
fn space_may_be_anywhere_between_parts() {
    let server =
        server(" { \"name\" : \"a\" ,\r\n\"tools\"\t: [ { } , 7 ,{}] , \"config\" :{ } } ");
    assert_eq!((server.name.as_str(), server.tools.len()), ("a", 2));
    assert_eq!(server.config.get(), "{ }");
}

#[test]
fn of_several_members_of_one_name_the_last_of_the_right_type_counts() {
    assert_eq!(server(r#"{"name":"a","name":"b","name":7}"#).name, "b");
}

#[test]
fn an_object_is_asked_for() {
    assert_eq!(server(r#"{"question":{"a":1}}"#).question.unwrap().to_value(), json!({"a": 1}));
    for other in ["[]", "7", "null", "\"{}\""] {
        assert_eq!(server(&format!(r#"{{"question":{other}}}"#)).question, None, "{other}");
    }
}

#[test]
fn words_have_a_default() {
    assert_eq!(State::default(), State::Other(String::new()));
    assert_eq!(Place::default(), Place::Session);
}

#[test]
fn values_are_checked_without_being_kept() {
    for good in ["{}", " [1, -2.5, \"a\\n\", null, true, {\"a\": {}}]", "\"\\ud800\"", "7"] {
        assert!(check(good).is_ok(), "{good}");
    }
    let deep = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for bad in ["", "{", "{\"a\":rm}", "[1e400]", "{} x", "\"\u{1}\"", "{\"a\" 1}"] {
        assert!(check(bad).is_err(), "{bad}");
    }
    assert!(check(&deep(127)).is_ok() && check(&deep(200)).is_err());
    assert!(check(&deep(100_000)).is_err());
}

#[test]
fn what_a_tree_cannot_hold_is_null() {
    assert_eq!(server(r#"{"config":{"a":1e400}}"#).config.to_value(), json!(null));
    assert_eq!(server(r#"{"config":["\udead"]}"#).config.to_value(), json!(["\u{fffd}"]));
}

#[test]
fn objects_are_written() {
    assert_eq!(Object::default().finish().get(), "{}");
    let object = Object::default()
        .member("a\"", 1)
        .optional("b", None::<u8>)
        .raw("c", &RawJson::of_text("[ 1]"));
    assert_eq!(object.finish().get(), r#"{"a\"":1,"c":[ 1]}"#);
}

#[test]
fn null_is_null_however_it_is_made() {
    let read = server(r#"{"config":null}"#).config;
    for null in [RawJson::of_text("null"), RawJson::from(json!(null)), read] {
        assert_eq!(null, RawJson::default());
        assert_eq!(&*Arc::<str>::from(null), "null");
    }
}

#[test]
fn the_text_of_a_value_of_this_programs_is_one_line() {
    let text = "{\r\n  \"a\": \"\\n\",\n  \"b\": [1,\n2]\n}";
    let raw = RawValue::from_string(text.to_owned()).unwrap();
    let one_line = "{    \"a\": \"\\n\",   \"b\": [1, 2] }";
    assert_eq!(RawJson::of(&raw).unwrap().get(), one_line);
    assert_eq!(RawJson::of(json!({"a": "\n"})).unwrap().get(), r#"{"a":"\n"}"#);
}
