//! The rules for schemas.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::finding::Findings;
use super::rule::Rule;
use crate::mcp::places::Places;
use crate::mcp::schema::check::{self, Looks};
use crate::mcp::schema::keyword::{choices, has_name, is, items, object, pointed, text};
use crate::mcp::schema::{
    Place, is_standard_format, is_unchecked, may_be_boolean, placed_children, step,
};
use crate::mcp::words::has_only;

/// The most choices of an enum.
const MOST_CHOICES: usize = 100;
/// How many levels of objects a schema may have.
const DEEPEST: usize = 5;
/// How many schemas a look at one may follow references to, and how many comparisons it may make of
/// defaults. One by hand can have thousands of both, each as large as the whole.
const MOST_FOLLOWED: usize = 100_000;
const MOST_COMPARED: usize = 100_000;
/// Keywords that combine schemas, as those of the variants of an enum.
const COMBINATORS: [&str; 3] = ["anyOf", "oneOf", "allOf"];
/// Keywords that 2020-12 does not have, and what replaces them.
const OLD: [(&str, &str); 6] = [
    ("definitions", "`$defs`"),
    ("dependencies", "`dependentRequired` or `dependentSchemas`"),
    ("additionalItems", "`items`, beside `prefixItems`"),
    ("$recursiveRef", "`$dynamicRef`"),
    ("$recursiveAnchor", "`$dynamicAnchor`"),
    ("id", "`$id`"),
];

pub(super) fn input(schema: &RawValue, findings: &mut Findings) {
    let Ok(root) = schema.get().parse() else { return };
    let Value::Object(members) = &root else { return };
    let mut look = Look::new(&root, "/inputSchema", true, findings);
    for keyword in COMBINATORS {
        if members.contains_key(keyword) {
            let advice = format!(
                "make the arguments one object with a member that tells the cases apart: \
                 model APIs refuse `{keyword}` here"
            );
            look.add_below(keyword, Rule::RootCombinator, advice);
        }
    }
    let has_any = |keywords: &[&str]| keywords.iter().any(|it| members.contains_key(*it));
    // Beside a flattened enum, which serde reads from all members, the advice may be wrong.
    if !has_any(&COMBINATORS) && !has_any(&["additionalProperties", "unevaluatedProperties"]) {
        let advice = "refuse unknown arguments: `#[serde(deny_unknown_fields)]` on the type, or \
                      `\"additionalProperties\": false` in a schema by hand";
        look.add(Rule::OpenObject, advice);
    }
    look.arguments(members);
    look.schema(members, 0);
}

pub(super) fn output(schema: &RawValue, findings: &mut Findings) {
    let Ok(root) = schema.get().parse() else { return };
    if let Value::Object(members) = &root {
        Look::new(&root, "/outputSchema", false, findings).schema(members, 0);
    }
}

/// A look at all parts of a schema.
struct Look<'a> {
    root: &'a Value,
    is_input: bool,
    pointer: String,
    /// The references that were reported.
    references: Places<'a>,
    /// How many more schemas are followed.
    left: usize,
    looks: Looks,
    findings: &'a mut Findings,
}

impl<'a> Look<'a> {
    fn new(root: &'a Value, pointer: &str, is_input: bool, findings: &'a mut Findings) -> Self {
        let (pointer, references) = (pointer.to_owned(), Places::default());
        let (left, looks) = (MOST_FOLLOWED, Looks::new(MOST_COMPARED));
        Self { root, is_input, pointer, references, left, looks, findings }
    }

    fn add(&mut self, rule: Rule, advice: impl Into<String>) {
        self.findings.add(&self.pointer, rule, advice);
    }

    fn add_below(&mut self, keyword: &str, rule: Rule, advice: impl Into<String>) {
        self.findings.add(&(self.pointer.clone() + &step(keyword)), rule, advice);
    }

    /// The names and descriptions of the arguments.
    fn arguments(&mut self, root: &'a Map<String, Value>) {
        let Some(properties) = object(root, "properties") else { return };
        for (name, schema) in properties {
            let pointer = format!("{}/properties{}", self.pointer, step(name));
            if !is_property_name(name) {
                let advice =
                    "use 1 to 64 letters, digits, `_`, `-` and `.`: model APIs refuse others";
                self.findings.add(&pointer, Rule::PropertyName, advice);
            }
            let is_described = |schema: &Value| schema.get("description").is_some();
            if !is_described(schema) && !self.target(schema).is_some_and(is_described) {
                let advice = "say what the argument means, in a doc comment on it";
                self.findings.add(&pointer, Rule::ParameterDescription, advice);
            }
        }
    }

    /// `level` is the number of objects around the schema.
    fn schema(&mut self, schema: &'a Map<String, Value>, level: usize) {
        self.keywords(schema);
        if self.is_input {
            self.reference(schema);
            self.default(schema);
            self.choices(schema);
            self.duration(schema);
        }
        placed_children(schema, &mut |keyword, place, child| {
            let length = self.pointer.len();
            self.pointer.push_str(&step(keyword));
            match place {
                Place::Only => {}
                Place::Item(at) => self.pointer.push_str(&format!("/{at}")),
                Place::Named(name) => self.pointer.push_str(&step(name)),
            }
            let is_member =
                matches!(keyword, "properties" | "patternProperties" | "additionalProperties");
            let level = if keyword == "$defs" { 0 } else { level + usize::from(is_member) };
            self.child(keyword, child, level);
            self.pointer.truncate(length);
        });
    }

    fn child(&mut self, keyword: &str, child: &'a Value, level: usize) {
        let Value::Object(members) = child else {
            if child.is_boolean() && !may_be_boolean(keyword) {
                let advice =
                    format!("write `{}`", if child == true { "{}" } else { "{\"not\": {}}" });
                self.add(Rule::BooleanSchema, advice);
            }
            return;
        };
        if self.is_input && keyword == "properties" && is_nullable(members) {
            let advice = "leave the property out of `required`, instead of taking null for it";
            self.add(Rule::Nullable, advice);
        }
        if self.is_input && level == DEEPEST && members.contains_key("properties") {
            let advice = format!("use at most {DEEPEST} levels of objects; these are more");
            self.add(Rule::Depth, advice);
        }
        self.schema(members, level);
    }

    fn keywords(&mut self, schema: &Map<String, Value>) {
        for (keyword, now) in OLD {
            if schema.contains_key(keyword) {
                let advice = format!("write {now}: `{keyword}` is of an older dialect");
                self.add_below(keyword, Rule::Dialect, advice);
            }
        }
        if self.is_input && text(schema, "pattern").is_some_and(is_unchecked) {
            let advice = "check it in the tool: only clients may enforce such an expression";
            self.add_below("pattern", Rule::UncheckedPattern, advice);
        }
        if let Some(format) = text(schema, "format")
            && !is_standard_format(format)
        {
            let advice = format!(
                "drop it, or say it in the description: `{format}` is no format of JSON \
                 Schema"
            );
            self.add_below("format", Rule::Format, advice);
        }
    }

    fn reference(&mut self, schema: &'a Map<String, Value>) {
        let reference = schema.get("$ref").or_else(|| schema.get("$dynamicRef"));
        let Some(reference) = reference.and_then(Value::as_str) else { return };
        if !self.references.add(reference.into()) {
            return;
        }
        let target = self.pointed(reference);
        if target.is_none() {
            let advice = format!("write the schema out here: `{reference}` is no path in this one");
            self.add(Rule::Reference, advice);
        } else if self.leads_back(target, reference) {
            let advice = "prefer a list of nodes that name their parents: clients and strict modes \
                          do not take a schema inside of itself";
            self.add(Rule::Recursion, advice);
        } else {
            self.add(Rule::Reference, format!("write the schema `{reference}` out here"));
        }
    }

    /// True if a schema refers to `reference`, itself or through others.
    fn leads_back(&mut self, schema: Option<&'a Value>, reference: &str) -> bool {
        let (mut open, mut seen) = (Vec::from_iter(schema), Places::default());
        while let Some(schema) = open.pop().filter(|_| self.left > 0) {
            self.left -= 1;
            let Value::Object(members) = schema else { continue };
            match text(members, "$ref") {
                Some(next) if next == reference => return true,
                Some(next) if seen.add(next.into()) => open.extend(self.pointed(next)),
                Some(_) => {}
                None => placed_children(members, &mut |_, _, child| open.push(child)),
            }
        }
        false
    }

    fn default(&mut self, schema: &'a Map<String, Value>) {
        let Some(default) = schema.get("default") else { return };
        if is(schema, "writeOnly", true) {
            let advice = "drop the default: every client can read it";
            self.add_below("default", Rule::SecretDefault, advice);
        }
        let own = Value::Object(schema.clone());
        let problems = check::problems_of_one(self.root, &own, &default.to_string(), &self.looks);
        if let Some(problem) = problems.first() {
            let advice = format!("change the default or the schema: {problem}");
            self.add_below("default", Rule::DefaultOutside, advice);
        }
    }

    fn choices(&mut self, schema: &Map<String, Value>) {
        for keyword in ["enum", "oneOf", "anyOf"] {
            let entries = items(schema, keyword);
            let count = if keyword == "enum" { Some(entries.len()) } else { values(entries) };
            if let Some(count) = count.filter(|count| *count > MOST_CHOICES) {
                let advice = format!(
                    "take a string and check it in the tool, or offer a tool that searches: \
                     there are {count} choices"
                );
                self.add_below(keyword, Rule::EnumSize, advice);
            }
        }
    }

    fn duration(&mut self, schema: &Map<String, Value>) {
        let Some(members) = object(schema, "properties") else { return };
        if members.keys().eq(["secs", "nanos"]) {
            let advice = "take `toolwright::duration::Text`, a text such as `1.5s`: models fill in \
                          `secs` and `nanos` badly";
            self.add(Rule::Duration, advice);
        }
    }

    /// The schema that a schema refers to.
    fn target(&self, schema: &'a Value) -> Option<&'a Value> {
        self.pointed(schema.get("$ref")?.as_str()?)
    }

    fn pointed(&self, reference: &str) -> Option<&'a Value> {
        pointed(self.root, reference)
    }
}

fn is_property_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && has_only(name, b"_-.")
}

/// How many values the branches name, if each names its own.
fn values(branches: &[Value]) -> Option<usize> {
    branches.iter().map(|branch| choices(branch.as_object()?).map(<[Value]>::len)).sum()
}

fn is_nullable(schema: &Map<String, Value>) -> bool {
    for keyword in ["anyOf", "oneOf"] {
        for branch in items(schema, keyword) {
            if branch.get("type").is_some_and(|kind| kind == "null") {
                return true;
            }
        }
    }
    is(schema, "nullable", true)
        || has_name(items(schema, "type"), "null")
        || items(schema, "enum").contains(&Value::Null)
}
