//! What a JSON Schema allows, as far as the command line wants to know.

use serde_json::{Map, Value};

use crate::bounds;
use crate::types::{NAMES, Types, elements};

/// A schema, and the whole of which it is a part.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a> {
    root: &'a Value,
    part: &'a Value,
}

/// How many references behind one another are followed for the types of a value.
const DEEPEST: usize = 32;
/// How many schemas are looked at for them: with two branches at each reference their number
/// doubles.
const MOST_PARTS: usize = 10_000;

impl<'a> Schema<'a> {
    /// A whole schema.
    pub fn of(root: &'a Value) -> Self {
        Self { root, part: root }
    }

    /// The names of an object's members, each with whether it must be there, whatever branch holds.
    /// A name of several branches is one.
    pub fn keys(self) -> Vec<(&'a str, bool)> {
        let required = self.required(&mut Vec::new(), &mut { MOST_PARTS });
        let mut keys: Vec<(&str, bool)> = Vec::new();
        for part in self.parts() {
            let Some(properties) = part.object("properties") else { continue };
            for name in properties.keys() {
                if !keys.iter().any(|(known, _)| known == name) {
                    keys.push((name, required.contains(&name.as_str())));
                }
            }
        }
        keys
    }

    /// The schema of a member that has one of its own.
    pub fn member(self, key: &str) -> Option<Self> {
        self.members(key).first().copied()
    }

    /// The values that a member may have in all branches together, if each branch lists its own.
    pub fn choices_of(self, key: &str) -> Vec<String> {
        let mut all = Vec::new();
        for member in self.members(key) {
            match member.choices() {
                none if none.is_empty() => return none,
                choices => all.extend(choices),
            }
        }
        all
    }

    /// The types that a member may have in all branches together.
    pub fn types_of(self, key: &str) -> Types {
        together(&self.named(key))
    }

    /// The types that an element of a member that is an array may have, at this position.
    pub fn types_in(self, key: &str, at: usize) -> Types {
        let mut elements = Vec::new();
        for member in self.named(key) {
            elements.extend(member.element(at));
        }
        together(&elements)
    }

    /// The types that a member may have in all branches together, in words.
    pub fn kinds_of(self, key: &str) -> String {
        kinds(&self.members(key))
    }

    /// The description of a member, if it is the same in all branches.
    pub fn about_of(self, key: &str) -> &'a str {
        self.agreed(key, Self::about)
    }

    /// What is said about a member apart from its type, if it is the same in all branches: in short
    /// sentences, each after a space.
    pub fn bounds_of(self, key: &str) -> String {
        self.agreed(key, Self::bounds)
    }

    /// The value of a member that is left out, as it is typed, if it is the same in all branches.
    pub fn default_of(self, key: &str) -> Option<String> {
        self.agreed(key, |member| member.part.get("default").map(typed))
    }

    /// The schema of an array's elements.
    pub fn elements(self) -> Option<Self> {
        self.within("items")
    }

    /// The values that it lists, as they are typed, if these are all that it allows.
    pub fn choices(self) -> Vec<String> {
        let listed = self.listed(&mut Vec::new(), &mut { MOST_PARTS }).unwrap_or_default();
        let (mut choices, mut types) = (Vec::new(), Types::NONE);
        for value in listed {
            choices.push(typed(value));
            types = types.or(Types::of(value));
        }
        if types == self.types() { choices } else { Vec::new() }
    }

    /// Its description, which may stand behind a reference.
    fn about(self) -> &'a str {
        for Self { part, .. } in self.sure_parts() {
            if let Some(text) = part["description"].as_str() {
                return text;
            }
        }
        ""
    }

    /// What it says about a value apart from its type, in short sentences, each after a space.
    fn bounds(self) -> String {
        self.sure_parts().iter().map(|it| bounds::bounds(it.part)).collect()
    }

    fn at(self, part: &'a Value) -> Self {
        Self { root: self.root, part }
    }

    fn object(self, keyword: &str) -> Option<&'a Map<String, Value>> {
        self.part.get(keyword)?.as_object()
    }

    /// What is read of a member in each branch that has it, unless two differ.
    fn agreed<T: PartialEq + Default>(self, key: &str, read: impl Fn(Self) -> T) -> T {
        let mut all = self.members(key).into_iter().map(read);
        let first = all.next().unwrap_or_default();
        if all.all(|other| other == first) { first } else { T::default() }
    }

    /// The schemas of a member, one for each branch that has it.
    fn members(self, key: &str) -> Vec<Self> {
        let mut members = Vec::new();
        for part in self.parts() {
            if let Some(member) = part.object("properties").and_then(|all| all.get(key)) {
                members.push(self.at(member));
            }
        }
        members
    }

    /// The schemas of a member, or of members that have none of their own.
    fn named(self, key: &str) -> Vec<Self> {
        let mut named = self.members(key);
        if !named.is_empty() {
            return named;
        }
        for part in self.parts() {
            for others in part.object("patternProperties").into_iter().flat_map(Map::values) {
                named.push(self.at(others));
            }
            if part.object("additionalProperties").is_some() {
                named.push(self.at(&part.part["additionalProperties"]));
            }
        }
        named
    }

    /// The schema of an array's element at this position.
    fn element(self, at: usize) -> Option<Self> {
        for Self { part, .. } in self.parts() {
            if let Some(element) = elements(&part["prefixItems"]).get(at) {
                return Some(self.at(element));
            }
        }
        self.elements()
    }

    /// The types that a value may have.
    fn types(self) -> Types {
        self.types_below(&mut Vec::new(), &mut { MOST_PARTS })
    }

    /// The names of the members that a value must have, whatever branch holds. `path` has the
    /// references that are being followed, and `left` parts may still be looked at.
    fn required(self, path: &mut Vec<&'a str>, left: &mut usize) -> Vec<&'a str> {
        let Some(fewer) = left.checked_sub(1) else { return Vec::new() };
        *left = fewer;
        let mut names = Vec::new();
        for name in elements(&self.part["required"]) {
            names.extend(name.as_str());
        }
        if let Some(name) = self.part["$ref"].as_str() {
            let required = self.follow(name, path, |part, path| part.required(path, left));
            names.extend(required.unwrap_or_default());
        }
        for branch in elements(&self.part["allOf"]) {
            names.extend(self.at(branch).required(path, left));
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut in_all: Option<Vec<&str>> = None;
            for branch in elements(&self.part[keyword]) {
                let branch = self.at(branch);
                // Null stands for a value that is left out.
                if branch.types_below(path, left) == Types::named("null") {
                    continue;
                }
                let required = branch.required(path, left);
                match &mut in_all {
                    Some(names) => names.retain(|name| required.contains(name)),
                    None => in_all = Some(required),
                }
            }
            names.extend(in_all.unwrap_or_default());
        }
        names
    }

    fn within(self, keyword: &str) -> Option<Self> {
        for Self { part, .. } in self.parts() {
            if part[keyword].is_object() {
                return Some(self.at(&part[keyword]));
            }
        }
        None
    }

    /// The schema that a reference within the whole names, where bytes may be percent-encoded.
    fn referred(self, reference: &str) -> Option<Self> {
        Some(self.at(self.root.pointer(&decoded(reference.strip_prefix('#')?)?)?))
    }

    /// What is seen in the schema that a reference names, unless it is being followed already or
    /// too many are. `path` has those that are being followed.
    fn follow<T>(
        self,
        name: &'a str,
        path: &mut Vec<&'a str>,
        see: impl FnOnce(Self, &mut Vec<&'a str>) -> T,
    ) -> Option<T> {
        if path.len() >= DEEPEST || path.contains(&name) {
            return None;
        }
        let part = self.referred(name)?;
        path.push(name);
        let seen = see(part, path);
        path.pop();
        Some(seen)
    }

    /// This schema and all that it combines or refers to.
    fn parts(self) -> Vec<Self> {
        self.parts_with(true)
    }

    /// The same without the branches of which one holds, unless the others are null.
    fn sure_parts(self) -> Vec<Self> {
        self.parts_with(false)
    }

    fn parts_with(self, choices: bool) -> Vec<Self> {
        let (mut parts, mut followed) = (vec![self], Vec::new());
        let mut next = 0;
        while let Some(part) = parts.get(next).copied() {
            next += 1;
            if let Some(reference) = part.part["$ref"].as_str()
                && !followed.contains(&reference)
            {
                followed.push(reference);
                parts.extend(part.referred(reference));
            }
            for keyword in ["allOf", "anyOf", "oneOf"] {
                let branches = elements(&part.part[keyword]);
                let others = branches.iter().filter(|branch| branch["type"] != "null");
                if choices || keyword == "allOf" || others.count() == 1 {
                    parts.extend(branches.iter().map(|branch| self.at(branch)));
                }
            }
        }
        parts
    }

    /// The values that it lists; `None` if it allows others too. `path` has the references that are
    /// being followed, and `left` parts may still be looked at.
    fn listed(self, path: &mut Vec<&'a str>, left: &mut usize) -> Option<Vec<&'a Value>> {
        *left = left.checked_sub(1)?;
        if let Some(only) = self.part.get("const") {
            return Some(vec![only]);
        }
        if let Some(values) = self.part.get("enum") {
            return Some(elements(values).iter().collect());
        }
        // Whatever else holds narrows these values, but adds none.
        if let Some(name) = self.part["$ref"].as_str() {
            let listed = self.follow(name, path, |part, path| part.listed(path, left)).flatten();
            if listed.is_some() {
                return listed;
            }
        }
        for branch in elements(&self.part["allOf"]) {
            let listed = self.at(branch).listed(path, left);
            if listed.is_some() {
                return listed;
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches = elements(&self.part[keyword]).iter();
            let lists = branches.map(|branch| self.at(branch).listed(path, left));
            let listed = lists.collect::<Option<Vec<_>>>().map(|lists| lists.concat());
            if let Some(listed) = listed.filter(|listed| !listed.is_empty()) {
                return Some(listed);
            }
        }
        None
    }

    /// `path` has the references that are being followed, and `left` parts may still be looked at.
    fn types_below(self, path: &mut Vec<&'a str>, left: &mut usize) -> Types {
        let Some(keywords) = self.part.as_object().filter(|_| *left > 0) else {
            return Types::ALL;
        };
        *left -= 1;
        let mut types = Types::ALL;
        for (keyword, value) in keywords {
            let allowed = match (keyword.as_str(), value) {
                ("type", Value::String(name)) => Types::named(name),
                ("type", names) => {
                    Types::any(names, &mut |name| name.as_str().map_or(Types::NONE, Types::named))
                }
                ("enum", values) => Types::any(values, &mut Types::of),
                ("const", value) => Types::of(value),
                ("anyOf" | "oneOf", branches) => {
                    Types::any(branches, &mut |branch| self.at(branch).types_below(path, left))
                }
                ("allOf", branches) => {
                    let mut all = Types::ALL;
                    for branch in elements(branches) {
                        all = all.and(self.at(branch).types_below(path, left));
                    }
                    all
                }
                ("$ref", Value::String(name)) => self
                    .follow(name, path, |part, path| part.types_below(path, left))
                    .unwrap_or(Types::ALL),
                _ => continue,
            };
            types = types.and(allowed);
        }
        types
    }
}

/// The types that a value of any of these schemas may have; all if there is none.
fn together(schemas: &[Schema<'_>]) -> Types {
    let mut types = if schemas.is_empty() { Types::ALL } else { Types::NONE };
    for schema in schemas {
        types = types.or(schema.types());
    }
    types
}

/// The same in words.
fn kinds(schemas: &[Schema<'_>]) -> String {
    let types = together(schemas);
    if types == Types::ALL {
        return "JSON".into();
    }
    let (mut has_integers, mut has_numbers) = (false, false);
    for Schema { part, .. } in schemas.iter().flat_map(|schema| schema.parts()) {
        has_integers |= names_type(part, "integer");
        has_numbers |= names_type(part, "number");
    }
    let mut kinds = String::new();
    for name in NAMES {
        if name != "null" && types.holds(Types::named(name)) {
            let is_integer = name == "number" && has_integers && !has_numbers;
            kinds.push_str(if kinds.is_empty() { "" } else { " or " });
            kinds.push_str(if is_integer { "integer" } else { name });
        }
    }
    kinds
}

/// Whether a schema says itself that a value may have a type.
fn names_type(schema: &Value, name: &str) -> bool {
    match &schema["type"] {
        Value::Array(names) => names.iter().any(|known| known == name),
        only => only == name,
    }
}

/// A text whose percent-encoded bytes are decoded; `None` if they are no text then.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(code, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// A value as a word of the command line.
fn typed(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
