//! Derives schemas, and removes what clients and model APIs refuse or misread.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

use super::default::shorten_default;
use super::keyword::{get, get_mut, items, list_mut, names, only, set, text};
use super::portable::portable;
use super::shape::Shape;

/// The direction of the described values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Into a tool: an optional property is one that may be absent.
    Input,
    /// Out of a tool: what is serialised, null included.
    Output,
}

/// How types are written where they are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Types {
    /// Written out.
    Inline,
    /// The same, with titles that tell untagged variants from others.
    Titled,
    /// Those that have a name as references to `$defs`.
    Named,
}

impl Direction {
    pub(super) fn generator(self, types: Types) -> SchemaGenerator {
        let mut settings = SchemaSettings::draft2020_12();
        settings.meta_schema = None;
        settings.inline_subschemas = types != Types::Named;
        settings.untagged_enum_variant_titles = types == Types::Titled;
        match self {
            Self::Input => settings.for_deserialize(),
            Self::Output => settings.for_serialize(),
        }
        .into_generator()
    }

    fn root_schema(self, of: Shape) -> Value {
        let mut schema = of.root(&mut self.generator(Types::Inline)).to_value();
        normalise(&mut schema, self);
        schema
    }
}

/// The schema of values that are decoded as `T`.
pub(crate) fn input<T: JsonSchema>() -> Value {
    Direction::Input.root_schema(Shape::of::<T>())
}

/// The schema of a structured result.
pub(crate) fn output<T: JsonSchema>() -> Value {
    Direction::Output.root_schema(Shape::of::<T>())
}

/// A schema by hand with the bounds of the integer types that it names as formats.
pub(crate) fn standard(mut schema: Value) -> Value {
    normalise(&mut schema, Direction::Input);
    schema
}

/// True for the formats that JSON Schema 2020-12 defines; a strict validator refuses to compile
/// others.
pub(crate) fn is_standard_format(format: &str) -> bool {
    matches!(
        format,
        "date-time"
            | "date"
            | "time"
            | "duration"
            | "email"
            | "idn-email"
            | "hostname"
            | "idn-hostname"
            | "ipv4"
            | "ipv6"
            | "uri"
            | "uri-reference"
            | "iri"
            | "iri-reference"
            | "uuid"
            | "uri-template"
            | "json-pointer"
            | "relative-json-pointer"
            | "regex"
    )
}

/// The schemas under a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Children {
    /// One schema, or a boolean, which all clients accept here.
    OneOrBoolean,
    /// One schema.
    One,
    /// A list of schemas.
    Many,
    /// An object of schemas.
    Named,
    /// None.
    Other,
}

impl Children {
    fn of(keyword: &str) -> Self {
        match keyword {
            "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" => {
                Self::OneOrBoolean
            }
            "items" | "contains" | "propertyNames" | "not" | "if" | "then" | "else"
            | "contentSchema" | "additionalItems" => Self::One,
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => Self::Many,
            "properties" | "$defs" | "patternProperties" | "dependentSchemas" => Self::Named,
            _ => Self::Other,
        }
    }
}

/// Normalises a whole schema, in place.
pub(super) fn normalise(schema: &mut Value, direction: Direction) {
    if let Value::Object(members) = schema {
        members.shift_remove("$schema");
        members.shift_remove("title");
    }
    walk(schema, direction);
}

/// Calls `f` on every schema directly below `schema`, with the keyword that has it.
pub(super) fn children<'a>(schema: &'a Map<String, Value>, mut f: impl FnMut(&str, &'a Value)) {
    placed_children(schema, &mut |keyword, _, child| f(keyword, child));
}

/// The place of a schema among those of a keyword.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    Only,
    Item(usize),
    Named(&'a str),
}

/// The same with the place of each.
pub(crate) fn placed_children<'a>(
    schema: &'a Map<String, Value>,
    f: &mut dyn FnMut(&'a str, Place<'a>, &'a Value),
) {
    for (key, value) in schema {
        match (Children::of(key), value) {
            (Children::One | Children::OneOrBoolean, _) => f(key, Place::Only, value),
            (Children::Many, Value::Array(list)) => {
                (0..).zip(list).for_each(|(at, value)| f(key, Place::Item(at), value))
            }
            (Children::Named, Value::Object(named)) => {
                named.iter().for_each(|(name, value)| f(key, Place::Named(name), value))
            }
            _ => {}
        }
    }
}

/// True if all clients accept a boolean as the schema of this keyword.
pub(crate) fn may_be_boolean(keyword: &str) -> bool {
    Children::of(keyword) == Children::OneOrBoolean
}

fn walk(schema: &mut Value, direction: Direction) {
    let Value::Object(members) = schema else { return };
    standard_format(members, direction);
    portable_patterns(members);
    without_empty_enums(members);
    if direction == Direction::Input {
        absent_is_enough(members);
        shorten_default(members);
    }
    for (key, value) in members.iter_mut() {
        match (Children::of(key), value) {
            (Children::OneOrBoolean, Value::Bool(_)) => {}
            (Children::One | Children::OneOrBoolean, value) => walk_child(value, direction),
            (Children::Many, Value::Array(list)) => {
                list.iter_mut().for_each(|value| walk_child(value, direction))
            }
            (Children::Named, Value::Object(named)) => {
                named.values_mut().for_each(|value| walk_child(value, direction))
            }
            _ => {}
        }
    }
}

/// Older clients accept only objects as schemas within a schema.
fn walk_child(schema: &mut Value, direction: Direction) {
    match schema {
        Value::Bool(true) => *schema = Value::Object(Map::new()),
        Value::Bool(false) => *schema = only("not", Value::Object(Map::new())),
        _ => walk(schema, direction),
    }
}

/// Replaces a format that only Rust has by the bounds of the integer type. Not every JSON reader
/// keeps 64-bit bounds exactly, so for these types only the bound 0 is written.
///
/// What `url::Url` writes is a URL of browsers, such as `https://a.example/?b[]=c`, and often no
/// URI, so that clients would refuse the result.
fn standard_format(schema: &mut Map<String, Value>, direction: Direction) {
    let Some(format) = text(schema, "format") else { return };
    let is_written_otherwise = direction == Direction::Output && format == "uri";
    if is_standard_format(format) && !is_written_otherwise {
        return;
    }
    let (least, most) = bounds(format);
    schema.shift_remove("format");
    for (key, bound) in [("minimum", least), ("maximum", most)] {
        if let Some(bound) = bound
            && !schema.contains_key(key)
        {
            set(schema, key, bound.into());
        }
    }
}

fn portable_patterns(schema: &mut Map<String, Value>) {
    if let Some(pattern) = text(schema, "pattern").map(portable) {
        set(schema, "pattern", pattern.into());
    }
    if let Some(Value::Object(named)) = get_mut(schema, "patternProperties") {
        let all = std::mem::take(named).into_iter();
        *named = all.map(|(pattern, schema)| (portable(&pattern), schema)).collect();
    }
}

/// schemars writes an empty list for the variants without data if all of them are skipped.
fn without_empty_enums(schema: &mut Map<String, Value>) {
    let is_empty = |list: &Value| list.as_array().is_some_and(Vec::is_empty);
    for key in ["enum", "oneOf", "anyOf"] {
        let Some(list) = list_mut(schema, key) else { continue };
        retain(list, &|entry| key == "enum" || !entry.get("enum").is_some_and(is_empty));
        if list.is_empty() {
            schema.shift_remove(key);
            set(schema, "not", Value::Object(Map::new()));
        }
    }
}

/// The least and the greatest value of an integer type, by its format.
pub(super) fn bounds(format: &str) -> (Option<i64>, Option<i64>) {
    let (least, most) = match format {
        "int8" => (i8::MIN.into(), Some(i8::MAX.into())),
        "int16" => (i16::MIN.into(), Some(i16::MAX.into())),
        "int32" => (i32::MIN.into(), Some(i32::MAX.into())),
        "uint8" => (0, Some(u8::MAX.into())),
        "uint16" => (0, Some(u16::MAX.into())),
        "uint32" => (0, Some(u32::MAX.into())),
        "uint64" | "uint" | "uint128" => (0, None),
        _ => return (None, None),
    };
    (Some(least), most)
}

/// Removes null from the types of properties that may be absent instead.
fn absent_is_enough(schema: &mut Map<String, Value>) {
    let listed = items(schema, "required").to_owned();
    let required = names(&listed);
    let Some(Value::Object(properties)) = get_mut(schema, "properties") else { return };
    for (name, property) in properties.iter_mut() {
        if let Value::Object(property) = property
            && !required.has(name)
        {
            without_null(property);
        }
    }
}

fn without_null(schema: &mut Map<String, Value>) {
    if let Some(types) = list_mut(schema, "type") {
        retain(types, &|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            set(schema, "type", only);
        }
    }
    if let Some(values) = list_mut(schema, "enum") {
        retain(values, &|value| !value.is_null());
    }
    if get(schema, "default").is_some_and(Value::is_null) {
        schema.shift_remove("default");
    }
    for key in ["anyOf", "oneOf"] {
        let Some(branches) = list_mut(schema, key) else { continue };
        let before = branches.len();
        retain(branches, &|branch| {
            branch.get("type").is_none_or(|kind| kind != "null")
                && branch.get("const").is_none_or(|value| !value.is_null())
        });
        let nullable = branches.len() < before;
        if nullable && branches.len() == 1 && branches[0].is_object() {
            let only = branches.remove(0);
            schema.shift_remove(key);
            if let Value::Object(only) = only {
                for (key, value) in only {
                    schema.entry(key).or_insert(value);
                }
            }
        }
    }
}

fn retain(list: &mut Vec<Value>, is_wanted: &dyn Fn(&Value) -> bool) {
    list.retain(is_wanted);
}
