//! Arguments of a tool from words of a command line, which have no types: the tool's input schema
//! says what each value is.
//!
//! What cannot be as the schema wants it is passed on all the same. The tool refuses it, and
//! names what it wants and the nearest key.

use serde_json::Value;

use crate::schema::Schema;
use crate::types::Types;

/// More levels than JSON parsers take.
const DEEPEST: usize = 128;

/// Reads the file of a name, or standard input for `-`.
pub type Read<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// A value before it is written as JSON.
enum Node {
    /// JSON text.
    Text(String),
    /// The elements of an array, as JSON texts.
    List(Vec<String>),
    Object(Members),
}

type Members = Vec<(String, Node)>;

/// A key that has a value already.
struct Twice;

/// The JSON text of an object from words `key=value`.
///
/// A value is text where the schema allows nothing else; otherwise it is JSON if it can be. `a.b=1`
/// sets the member `b` of the object `a`, each `key=value` of an array adds an element, and
/// `key=@path` takes the content of a file.
///
/// # Errors
///
/// A text for the user: a word is not `key=value`, contradicts another one or the schema, or names
/// a file that cannot be read.
pub fn object(schema: &Value, words: &[String], read: Read<'_>) -> Result<String, String> {
    let schema = Schema::of(schema);
    let mut members = Members::new();
    for word in words {
        let pair = word.split_once('=').filter(|(key, _)| !key.is_empty());
        let (key, value) = pair.ok_or_else(|| {
            format!("`{word}` is not `key=value`; a JSON object or `-` stands alone")
        })?;
        if key.split('.').count() > DEEPEST {
            return Err(format!("`{key:.20}…` is nested too deeply"));
        }
        let value = match value.strip_prefix('@') {
            Some(rest) if rest.starts_with('@') => rest.to_owned(),
            Some(path) => read(path).map_err(|error| {
                format!(
                    "the file `{path}` cannot be read: {error}; \
                     `{key}=@@{path}` is the text `@{path}`"
                )
            })?,
            None => value.to_owned(),
        };
        set(&mut members, schema, key, &value)
            .map_err(|Twice| format!("`{key}` is given more than once"))?;
    }
    let mut text = String::new();
    write(&Node::Object(members), &mut text);
    Ok(text)
}

/// Sets the member that `key` names in an object of this schema.
fn set(members: &mut Members, schema: Schema<'_>, key: &str, value: &str) -> Result<(), Twice> {
    let nested = key.split_once('.').filter(|_| schema.member(key).is_none());
    let nested = nested.and_then(|(head, tail)| Some((head, tail, schema.member(head)?)));
    if let Some((head, tail, inner)) = nested {
        let known = members.iter().position(|(key, _)| key == head);
        let at = known.unwrap_or_else(|| {
            members.push((head.to_owned(), Node::Object(Members::new())));
            members.len() - 1
        });
        return match &mut members[at].1 {
            Node::Object(members) => set(members, inner, tail, value),
            _ => Err(Twice),
        };
    }
    let types = schema.types_of(key);
    let known = members.iter_mut().find(|(known, _)| known == key);
    let node = match json_type(value) {
        given if is_element(types, given) => {
            let at = match &known {
                Some((_, Node::List(list))) => list.len(),
                _ => 0,
            };
            Node::List(vec![text(schema.types_in(key, at), value)])
        }
        _ => Node::Text(text(types, value)),
    };
    match (known, node) {
        (None, node) => members.push((key.to_owned(), node)),
        (Some((_, Node::List(list))), Node::List(more)) => list.extend(more),
        _ => return Err(Twice),
    }
    Ok(())
}

/// True if a value is no value of these types, and they have arrays for it to be an element of.
fn is_element(types: Types, given: Option<Types>) -> bool {
    let is_value = types.holds(Types::STRING) || given.is_some_and(|given| types.holds(given));
    types.holds(Types::ARRAY) && !is_value
}

/// The type of a value that is JSON.
fn json_type(value: &str) -> Option<Types> {
    value.parse::<Value>().ok().map(|value| Types::of(&value))
}

/// The JSON text of a value.
fn text(types: Types, value: &str) -> String {
    let is_json = match json_type(value) {
        None => false,
        Some(_) if types == Types::STRING => false,
        // A JSON value of a wrong type is refused as what it is.
        Some(given) => types.holds(given) || !types.holds(Types::STRING),
    };
    if is_json { value.to_owned() } else { Value::from(value).to_string() }
}

fn write(node: &Node, out: &mut String) {
    match node {
        Node::Text(text) => out.push_str(text),
        Node::List(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(element);
            }
            out.push(']');
        }
        Node::Object(members) => {
            out.push('{');
            for (at, (key, node)) in members.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(node, out);
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    /// The arguments for a tool of many types.
    fn object(words: &[&str]) -> Result<String, String> {
        let schema = json!({
            "type": "object",
            "$defs": {
                "page": {"type": "object", "properties": {"size": {"type": "integer"}}},
                "Größe": {"type": "object", "properties": {"name": {"type": "string"}}},
            },
            "properties": {
                "text": {"type": "string"},
                "op": {"enum": ["eq", "1"]},
                "x": {"type": "number"},
                "flag": {"type": "boolean"},
                "either": {"anyOf": [{"type": "string"}, {"type": "number"}]},
                "any": {},
                "numbers": {"type": "array", "items": {"type": "number"}},
                "words": {"type": "array", "items": {"type": "string"}},
                "points": {"type": "array", "items": {"type": "array"}},
                "page": {"$ref": "#/$defs/page"},
                "size": {"$ref": "#/$defs/Gr%C3%B6%C3%9Fe"},
                "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
                "by_number": {
                    "additionalProperties": false,
                    "patternProperties": {"^[0-9]+$": {"type": "string"}},
                },
                "shape": {"oneOf": [
                    {"properties": {"kind": {"const": "5"}, "size": {"type": "string"}}},
                    {"properties": {"kind": {"const": "Square"}, "size": {"type": "integer"}}},
                ]},
                "map": {"type": "object", "additionalProperties": {"type": "string"}},
                "dotted": {"properties": {"name": {"type": "string"}}},
                "dotted.name": {"type": "string"},
            },
        });
        let words: Vec<_> = words.iter().map(ToString::to_string).collect();
        super::object(&schema, &words, &|path| match path {
            "five" => Ok("5".into()),
            _ => Err("it is not there".into()),
        })
    }

    #[test]
    fn values_are_what_the_schema_says() {
        for (word, expected) in [
            ("text=5", r#"{"text":"5"}"#),
            ("text=", r#"{"text":""}"#),
            ("text=a=b", r#"{"text":"a=b"}"#),
            (r#"text="quoted""#, r#"{"text":"\"quoted\""}"#),
            ("op=1", r#"{"op":"1"}"#),
            ("x=-2.50", r#"{"x":-2.50}"#),
            ("x=18446744073709551616", r#"{"x":18446744073709551616}"#),
            ("flag=true", r#"{"flag":true}"#),
            ("either=5", r#"{"either":5}"#),
            (r#"either="5""#, r#"{"either":"5"}"#),
            ("either=five", r#"{"either":"five"}"#),
            ("any={\"a\":1}", r#"{"any":{"a":1}}"#),
            ("any=none", r#"{"any":"none"}"#),
            ("numbers=[1,2]", r#"{"numbers":[1,2]}"#),
            ("numbers=1", r#"{"numbers":[1]}"#),
            ("words=1", r#"{"words":["1"]}"#),
            (r#"points=[[1]]"#, r#"{"points":[[1]]}"#),
            ("page={\"size\":3}", r#"{"page":{"size":3}}"#),
            ("page.size=3", r#"{"page":{"size":3}}"#),
            ("size.name=5", r#"{"size":{"name":"5"}}"#),
            ("map.a=3", r#"{"map":{"a":"3"}}"#),
            ("by_number.5=7", r#"{"by_number":{"5":"7"}}"#),
            ("pair=1", r#"{"pair":["1"]}"#),
            ("shape.size=5", r#"{"shape":{"size":5}}"#),
            (r#"shape.size="5""#, r#"{"shape":{"size":"5"}}"#),
            ("shape.size=wide", r#"{"shape":{"size":"wide"}}"#),
            ("shape.kind=5", r#"{"shape":{"kind":"5"}}"#),
            ("map.a.b=3", r#"{"map":{"a.b":"3"}}"#),
            ("dotted.name=x", r#"{"dotted.name":"x"}"#),
            ("unknown=5", r#"{"unknown":5}"#),
            ("no.such=x", r#"{"no.such":"x"}"#),
            ("text=@five", r#"{"text":"5"}"#),
            ("x=@five", r#"{"x":5}"#),
            ("text=@@five", r#"{"text":"@five"}"#),
        ] {
            assert_eq!(object(&[word]).as_deref(), Ok(expected), "{word}");
        }
    }

    #[test]
    fn what_the_schema_does_not_allow_is_left_to_the_tool() {
        for (word, expected) in [
            ("x=two", r#"{"x":"two"}"#),
            ("x=true", r#"{"x":true}"#),
            ("op=2", r#"{"op":"2"}"#),
            ("numbers=two", r#"{"numbers":["two"]}"#),
            ("page=3", r#"{"page":3}"#),
            ("page.size=big", r#"{"page":{"size":"big"}}"#),
        ] {
            assert_eq!(object(&[word]).as_deref(), Ok(expected), "{word}");
        }
    }

    #[test]
    fn several_words_are_one_object() {
        let words = ["words=a", "x=1", "map.a=1", "words=b", "page.size=2", "map.b=2"];
        let expected = r#"{"words":["a","b"],"x":1,"map":{"a":"1","b":"2"},"page":{"size":2}}"#;
        assert_eq!(object(&words).as_deref(), Ok(expected));
        assert_eq!(object(&["pair=1", "pair=2"]).as_deref(), Ok(r#"{"pair":["1",2]}"#));
        assert_eq!(object(&[]).as_deref(), Ok("{}"));
    }

    #[test]
    fn words_that_are_no_arguments_are_refused() {
        for (words, error) in [
            (&["5"][..], "`5` is not `key=value`; a JSON object or `-` stands alone"),
            (&["=5"], "`=5` is not `key=value`; a JSON object or `-` stands alone"),
            (&["x=1", "-"], "`-` is not `key=value`; a JSON object or `-` stands alone"),
            (&["x=1", "x=2"], "`x` is given more than once"),
            (&["numbers=[1]", "numbers=2"], "`numbers` is given more than once"),
            (&["page={}", "page.size=2"], "`page.size` is given more than once"),
            (&["page.size=2", "page={}"], "`page` is given more than once"),
            (
                &["x=@gone"],
                "the file `gone` cannot be read: it is not there; `x=@@gone` is the text `@gone`",
            ),
        ] {
            assert_eq!(object(words), Err(error.into()), "{words:?}");
        }
        let deep = format!("map{}=x", ".a".repeat(200));
        let error = "`map.a.a.a.a.a.a.a.a.…` is nested too deeply";
        assert_eq!(object(&[&deep]), Err(error.into()));
    }
}
