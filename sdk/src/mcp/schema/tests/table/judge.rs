//! A validator of JSON Schema judges random values: decoding agrees with it, or the difference
//! stands in the table.

use serde_json::{Map, Value, json};

use super::{Row, rows, values};

/// How many values of a type must be accepted by its schema, and how many refused.
const VALUES: usize = 1000;
/// How many values are tried until there are so many.
const TRIES: usize = 20_000;

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn one_of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Makes values for one row.
struct Maker<'a> {
    random: Random,
    root: &'a Value,
    /// The examples of the row, which have texts that no schema describes.
    examples: Vec<Value>,
}

impl Maker<'_> {
    /// A value that the schema may accept or refuse. `refused` and `accepted` are whether such
    /// values are still wanted.
    fn value(&mut self, refused: bool, accepted: bool) -> Value {
        let is_example = self.random.one_in(3) && !self.examples.is_empty();
        let value = match is_example {
            true => self.random.one_of(&self.examples).clone(),
            false => self.fitting(&self.root["properties"]["it"], 0),
        };
        let changed_of_8 = match (refused, accepted) {
            _ if is_example => 6,
            (true, true) => 4,
            (true, false) => 8,
            (false, _) => 1,
        };
        if self.random.below(8) < changed_of_8 { self.changed(value) } else { value }
    }

    /// A value that the schema describes, more or less.
    fn fitting(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(reference) = schema["$ref"].as_str() {
            let target = self.root.pointer(reference.trim_start_matches('#')).unwrap().clone();
            return self.fitting(&target, depth);
        }
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        for list in ["enum", "anyOf", "oneOf"] {
            if let Some(Value::Array(choices)) = schema.get(list) {
                let choice = self.random.one_of(choices);
                return if list == "enum" { choice.clone() } else { self.fitting(choice, depth) };
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => self.random.one_of(kinds).clone(),
            kind => kind.clone(),
        };
        let bound = |keyword: &str| schema[keyword].as_i64();
        match kind.as_str() {
            Some("null") => Value::Null,
            Some("boolean") => self.random.one_in(2).into(),
            Some("integer") => {
                let (least, most) = (bound("minimum"), bound("maximum"));
                let near = self.random.below(300) as i64;
                match self.random.below(4) {
                    0 => least.unwrap_or(i64::MIN).into(),
                    1 => most.map_or(u64::MAX.into(), Value::from),
                    2 => (least.unwrap_or(-150) + near).into(),
                    _ => (most.unwrap_or(150) - near).into(),
                }
            }
            Some("number") => {
                let number = self.random.below(1000) as f64 - 500.0;
                json!(number / *self.random.one_of(&[1.0, 3.0, 1e-300]))
            }
            Some("string") => self.text(schema).into(),
            Some("array") => self.array(schema, depth),
            Some("object") => self.object(schema, depth),
            _ => self.anything(depth),
        }
    }

    fn text(&mut self, schema: &Value) -> String {
        let least = schema["minLength"].as_u64().unwrap_or(0) as usize;
        let most = schema["maxLength"].as_u64().map_or(least + 3, |most| most as usize);
        let length = least + self.random.below(most - least + 1);
        let letters = ['a', 'b', 'c', '1', '.', ' ', 's', 'ß', '\u{1f600}', '"', '\\', '\n'];
        (0..length).map(|_| *self.random.one_of(&letters)).collect()
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        let prefix = schema["prefixItems"].as_array().cloned().unwrap_or_default();
        let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
        let most = schema["maxItems"].as_u64().map_or(least + 3, |most| most as usize);
        let most = if depth > 3 { least } else { most };
        let length = least + self.random.below(most - least + 1);
        let items = (0..length).map(|at| {
            let schema = prefix.get(at).unwrap_or(&schema["items"]);
            self.fitting(schema, depth + 1)
        });
        items.collect()
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if required.iter().any(|required| required == name) || self.random.one_in(2) {
                members.insert(name.clone(), self.fitting(property, depth + 1));
            }
        }
        let patterns = schema["patternProperties"].as_object().and_then(|it| it.values().next());
        if let Some(values) = patterns.or(schema.get("additionalProperties"))
            && depth < 4
        {
            for _ in 0..self.random.below(3) {
                let name = self.random.below(300).to_string();
                let value = self.fitting(values, depth + 1);
                members.insert(name, value);
            }
        }
        Value::Object(members)
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.random.below(if depth > 3 { 7 } else { 10 }) {
            0 => Value::Null,
            1 => self.random.one_in(2).into(),
            2 => (self.random.below(600) as i64 - 300).into(),
            3 => json!(self.random.below(600) as f64 / 2.0 - 150.0),
            4 => u64::MAX.into(),
            5 | 6 => self.text(&json!({})).into(),
            7 => json!([self.anything(depth + 1)]),
            8 => json!([]),
            _ => json!({*self.random.one_of(&["a", "kind", "x"]): self.anything(depth + 1)}),
        }
    }

    /// The same with one change.
    fn changed(&mut self, value: Value) -> Value {
        if self.random.one_in(4) {
            return self.anything(0);
        }
        match value {
            Value::Object(members) => self.changed_object(members),
            Value::Array(mut items) if !items.is_empty() => {
                let at = self.random.below(items.len());
                match self.random.below(4) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    _ => {
                        let item = items[at].take();
                        items[at] = self.changed(item);
                    }
                }
                Value::Array(items)
            }
            Value::Number(number) => match (number.as_i64(), self.random.below(4)) {
                (Some(number), 0) => number.wrapping_add(1).into(),
                (Some(number), 1) => number.wrapping_sub(1).into(),
                (Some(number), 2) => json!(number as f64),
                _ => json!(number.as_f64().unwrap_or_default() * 1.5),
            },
            Value::String(text) => {
                let mut letters: Vec<char> = text.chars().collect();
                let at = self.random.below(letters.len());
                match self.random.below(3) {
                    0 if !letters.is_empty() => drop(letters.remove(at)),
                    1 if !letters.is_empty() => letters[at] = *self.random.one_of(&['0', 'a', '.']),
                    _ => letters.insert(at, *self.random.one_of(&['1', 's', 'ö'])),
                }
                letters.into_iter().collect::<String>().into()
            }
            _ => self.anything(0),
        }
    }

    fn changed_object(&mut self, mut members: Map<String, Value>) -> Value {
        let names: Vec<String> = members.keys().cloned().collect();
        let change = self.random.below(5);
        if names.is_empty() || change == 0 {
            let value = self.anything(0);
            members.insert((*self.random.one_of(&["a", "extra", "7"])).into(), value);
            return Value::Object(members);
        }
        let name = self.random.one_of(&names).clone();
        let value = members.shift_remove(&name).unwrap_or_default();
        if change > 1 {
            let value = self.changed(value);
            members.insert(name, value);
        }
        Value::Object(members)
    }
}

/// The values on which a type and its schema disagree, although the table does not say so.
fn disagreements(row: &Row) -> Vec<String> {
    let schema = row.schema();
    let judge = jsonschema::draft202012::new(&schema).unwrap();
    let examples = values(row.takes).into_iter().chain(values(row.refuses));
    let examples = examples.filter_map(|example| serde_json::from_str(example).ok()).collect();
    let mut maker = Maker { random: Random(0x9E37_79B9_7F4A_7C15), root: &schema, examples };
    // The schema of all values refuses none.
    let wanted = [if row.refuses.is_empty() { 0 } else { VALUES }, VALUES];
    let (mut counts, mut found) = ([0, 0], Vec::new());
    for _ in 0..TRIES {
        if counts == wanted {
            return found;
        }
        let value = maker.value(counts[0] < wanted[0], counts[1] < wanted[1]);
        let is_valid = judge.is_valid(&json!({"it": value}));
        let count = &mut counts[usize::from(is_valid)];
        if *count < VALUES {
            *count += 1;
            let is_known = || row.differs.iter().any(|(known, _)| (known.concerns)(&value));
            if row.takes(&value.to_string()) != is_valid && !is_known() {
                let judged = if is_valid { "accepts" } else { "refuses" };
                found.push(format!("`{}`: the schema {judged} {value}", row.written));
            }
        }
    }
    panic!("`{}`: only {counts:?} values were refused and accepted", row.written)
}

#[test]
fn types_and_their_schemas_agree_on_random_values_or_the_table_says_so() {
    let found: Vec<String> = rows::rows().iter().flat_map(disagreements).collect();
    assert!(found.is_empty(), "{} values:\n{}", found.len(), found.join("\n"));
}

#[test]
fn each_difference_that_the_table_names_is_there() {
    for row in rows::rows() {
        let judge = jsonschema::draft202012::new(&row.schema()).unwrap();
        for (difference, example) in row.differs {
            let value: Value = serde_json::from_str(example).unwrap();
            let what = format!("`{}`, {}: {example}", row.written, difference.words);
            assert_ne!(judge.is_valid(&json!({"it": value})), row.takes(example), "{what}");
            assert!((difference.concerns)(&value), "{what}");
        }
    }
}
