//! One property of a form, as clients show it.

use serde_json::{Map, Value, json};

use crate::mcp::protocol::Profile;

/// The formats of texts that clients accept; they refuse a form with any other.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// What a property asks for.
#[derive(Debug)]
pub(super) struct Property<'a> {
    /// The schema of its type.
    schema: &'a Map<String, Value>,
    kind: Kind<'a>,
}

#[derive(Debug)]
enum Kind<'a> {
    Text,
    Integer,
    Number,
    Truth,
    One(Vec<Choice<'a>>),
    Several(Vec<Choice<'a>>),
}

/// A value, and the name under which the user sees it.
#[derive(Debug)]
struct Choice<'a> {
    name: &'a str,
    title: &'a str,
}

impl<'a> Property<'a> {
    /// From the schema of a field's type. What is nothing else is asked for as a text.
    #[inline]
    pub(super) fn of(schema: &'a Map<String, Value>) -> Self {
        let has_type = |kind: &str| match schema.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().any(|it| it == kind),
            only => only.is_some_and(|only| only == kind),
        };
        let kind = match () {
            () if has_type("boolean") => Kind::Truth,
            () if has_type("integer") => Kind::Integer,
            () if has_type("number") => Kind::Number,
            () if has_type("array") => {
                let items = schema.get("items").and_then(Value::as_object);
                Kind::Several(items.map(choices).unwrap_or_default())
            }
            () => match choices(schema) {
                none if none.is_empty() => Kind::Text,
                choices => Kind::One(choices),
            },
        };
        Self { schema, kind }
    }

    /// The property in the words of a revision.
    #[inline]
    pub(super) fn write(&self, profile: &Profile, default: Option<&Value>) -> Value {
        let is_rich = profile.has_rich_forms;
        let mut out = Map::new();
        let kind = match &self.kind {
            Kind::Several(_) if is_rich => "array",
            Kind::Text | Kind::One(_) | Kind::Several(_) => "string",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::Truth => "boolean",
        };
        out.insert("type".into(), kind.into());
        self.copy(&["title", "description"], &mut out);
        match &self.kind {
            Kind::Text => {
                self.copy(&["minLength", "maxLength"], &mut out);
                let format = self.schema.get("format");
                let format = format.filter(|format| FORMATS.iter().any(|known| format == known));
                out.extend(format.map(|format| ("format".to_owned(), format.clone())));
            }
            Kind::Integer | Kind::Number => {
                let least = self.bound("minimum", "exclusiveMinimum", 1);
                let most = self.bound("maximum", "exclusiveMaximum", -1);
                out.extend(least.map(|bound| ("minimum".to_owned(), bound)));
                out.extend(most.map(|bound| ("maximum".to_owned(), bound)));
            }
            Kind::Truth => {}
            Kind::One(choices) if is_rich => {
                out.insert("oneOf".into(), titled(choices));
            }
            Kind::One(choices) => {
                out.insert("enum".into(), choices.iter().map(|choice| choice.name).collect());
                out.insert("enumNames".into(), choices.iter().map(|choice| choice.title).collect());
            }
            Kind::Several(choices) if is_rich => {
                self.copy(&["minItems", "maxItems"], &mut out);
                out.insert("items".into(), json!({"anyOf": titled(choices)}));
            }
            Kind::Several(choices) => {
                out.insert("description".into(), self.listed(choices).into());
            }
        }
        let default = default.filter(|default| self.fits(default));
        let default = default.filter(|_| is_rich || matches!(self.kind, Kind::Truth));
        out.extend(default.map(|default| ("default".to_owned(), default.clone())));
        Value::Object(out)
    }

    /// The list of choices that a user means who had to write it as a text.
    #[inline]
    pub(super) fn read(&self, answer: &Value) -> Option<Value> {
        let (Kind::Several(choices), Value::String(text)) = (&self.kind, answer) else {
            return None;
        };
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        let named = |word: &str| {
            let names = || choices.iter().map(|choice| choice.name);
            let is_so = |name: &&str| name.eq_ignore_ascii_case(word);
            names().find(|name| *name == word).or_else(|| names().find(is_so))
        };
        Some(words.map(|word| named(word).unwrap_or(word)).collect())
    }

    #[inline]
    fn copy(&self, keys: &[&str], out: &mut Map<String, Value>) {
        let values = keys.iter().filter_map(|key| self.schema.get_key_value(*key));
        out.extend(values.map(|(key, value)| (key.clone(), value.clone())));
    }

    /// The tighter one of two bounds. Clients drop the exclusive one. For an integer the next
    /// number says the same; for any other number this is as near as a form gets, and the check
    /// of the answer knows better.
    #[inline]
    fn bound(&self, inclusive: &str, exclusive: &str, step: i64) -> Option<Value> {
        let is_integer = matches!(self.kind, Kind::Integer);
        let next = |bound: &Value| match bound.as_i64().filter(|_| is_integer) {
            Some(bound) => bound.saturating_add(step).into(),
            None => bound.clone(),
        };
        let exclusive = self.schema.get(exclusive).map(next);
        let bounds = self.schema.get(inclusive).cloned().into_iter().chain(exclusive);
        let inward = |bound: &Value| bound.as_f64().map(|bound| bound * step as f64);
        let bounds = bounds.filter_map(|bound| Some((inward(&bound)?, bound)));
        bounds.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, bound)| bound)
    }

    /// The description of a list that the user writes.
    #[inline]
    fn listed(&self, choices: &[Choice<'_>]) -> String {
        let described = self.schema.get("description").and_then(Value::as_str);
        let described = described.map(|text| format!("{text}\n")).unwrap_or_default();
        let names: Vec<_> = choices.iter().map(|choice| choice.name).collect();
        format!("{described}Any of these, with commas between them: {}", names.join(", "))
    }

    #[inline]
    fn fits(&self, default: &Value) -> bool {
        let is_among = |choices: &[Choice<'_>], value: &Value| {
            choices.iter().any(|choice| value == choice.name)
        };
        match &self.kind {
            Kind::Text => default.is_string(),
            Kind::Integer => default.is_i64() || default.is_u64(),
            Kind::Number => default.is_number(),
            Kind::Truth => default.is_boolean(),
            Kind::One(choices) => is_among(choices, default),
            Kind::Several(choices) => default
                .as_array()
                .is_some_and(|values| values.iter().all(|value| is_among(choices, value))),
        }
    }
}

/// The names of an enum: one list, or a schema for each that has documentation.
#[inline]
fn choices(schema: &Map<String, Value>) -> Vec<Choice<'_>> {
    let text = |key| schema.get(key).and_then(Value::as_str);
    let list = |key| schema.get(key).and_then(Value::as_array).into_iter().flatten();
    if let Some(name) = text("const") {
        let line = text("description").and_then(|text| text.lines().next());
        return vec![Choice { name, title: text("title").or(line).unwrap_or(name) }];
    }
    let named = list("enum").filter_map(Value::as_str).map(|name| Choice { name, title: name });
    let branches = list("oneOf").chain(list("anyOf")).filter_map(Value::as_object);
    named.chain(branches.flat_map(choices)).collect()
}

#[inline]
fn titled(choices: &[Choice<'_>]) -> Value {
    choices.iter().map(|Choice { name, title }| json!({"const": name, "title": title})).collect()
}
