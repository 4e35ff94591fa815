//! The answer to a form. A client may pass on whatever its user or its program wrote, so all of the
//! schema is checked here, also what clients do not know of it.

use serde_json::{Map, Value};

use super::Form;
use super::property::Property;
use crate::mcp::args::{Args, Expected, HasPlace, Input, Parameter, Place, by_value, decode};
use crate::mcp::extensions::Extensions;
use crate::mcp::schema::check::{Aliases, Decoded, Part, Reading, problems};
use crate::mcp::schema::{self, Bounds, Problem};

/// The answer that `content` has, or what is wrong with it: a line for each problem.
pub(crate) fn accepted<T: Form>(content: Option<&str>) -> Result<T, String> {
    let mut schema = schema::input::<T>();
    // A type may ignore what it does not know, and then nobody would learn of a misspelt name.
    schema["additionalProperties"] = false.into();
    let mut answer = members(content)?;
    for (name, value) in &mut answer {
        let of_type = schema["properties"].get(name).and_then(Value::as_object);
        let list = of_type.and_then(|of_type| Property::of(of_type).read(value));
        list.into_iter().for_each(|list| *value = list);
    }
    let text = checked(&schema, &answer)?;
    let (parameters, schema) = (Parameter::WHOLE, Some(&schema));
    let expected = Expected { name: "", parameters, schema, bounds: None };
    let nobody = Extensions::default();
    let mut place = by_value::<Args<T>, _>().place();
    match decode(&Input::new(expected, Some(&text), &nobody), &mut [place.slot()]) {
        Ok(()) => Ok(place.take().0),
        Err(refused) => Err(said(refused.problems())),
    }
}

/// The same by a schema that was given by hand.
#[inline]
pub(crate) fn accepted_by(
    schema: &Value,
    content: Option<&str>,
) -> Result<Map<String, Value>, String> {
    let answer = members(content)?;
    checked(&schema::standard(schema.clone()), &answer)?;
    Ok(answer)
}

/// The values that were given. Null is none: some clients write it for what the user has left out.
#[inline]
fn members(content: Option<&str>) -> Result<Map<String, Value>, String> {
    let answer = serde_json::from_str(content.unwrap_or("{}"));
    let answer: Option<Map<_, _>> = answer.map_err(|error| match error.is_syntax() {
        // JSON has numbers and texts that a `Value` has not.
        true => error.to_string(),
        false => "expected an object".to_owned(),
    })?;
    let mut answer = answer.unwrap_or_default();
    answer.retain(|_, value: &mut Value| !value.is_null());
    Ok(answer)
}

/// The JSON text of an answer that keeps all that the schema says.
#[inline]
fn checked(schema: &Value, answer: &Map<String, Value>) -> Result<String, String> {
    let text = Value::from(answer.clone()).to_string();
    let decoded = Decoded::default();
    let part = Part::of(&text, &decoded).filter(|part| !part.is_cut());
    let part = part.ok_or("too large to check every part of it")?;
    let mut problems = problems(schema, &part, Reading::Written, Aliases::None);
    if problems.is_empty() {
        problems.extend(Bounds::of(schema, schema).into_iter().flat_map(|it| it.arguments(&text)));
    }
    if problems.is_empty() { Ok(text) } else { Err(said(&problems)) }
}

/// Problems for the user who reads them, by the names of the fields.
#[inline]
fn said(problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| match problem.pointer.strip_prefix('/') {
        Some(field) => format!("{field}: {}", problem.text),
        None => problem.text.clone(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
