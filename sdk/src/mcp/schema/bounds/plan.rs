//! A schema in the form in which arguments are checked: only the bounds, each next to its part.

use serde_json::{Map, Value};

use super::super::keyword::{self, items, names};
use super::super::problem::{joined, texts};
use super::equal::all_canonical;
use super::look::Look;
use super::names::own_names;
use super::pattern::Pattern;
use super::rules::Rules;
use crate::mcp::places::Places;

/// The bounds in a schema. A node stands for one of its schemas.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) nodes: Vec<Node>,
}

/// The bounds of one schema, and where those of the parts of a value are.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// True if there is a bound here or below.
    pub(super) matters: bool,
    /// True if there is one of the number of members, or in one.
    pub(super) members_matter: bool,
    /// The same of items.
    pub(super) items_matter: bool,
    pub(super) rules: Rules,
    pub(super) choices: Option<Choices>,
    /// The places of the properties in `fields`.
    pub(super) properties: Places<'static>,
    /// The properties in their order: serde also takes a struct as the array of its fields.
    pub(super) fields: Vec<Property>,
    pub(super) patterns: Vec<(Pattern, usize)>,
    pub(super) additional: Option<usize>,
    pub(super) prefix: Vec<usize>,
    pub(super) items: Option<usize>,
    /// The value must keep all of these.
    pub(super) all: Vec<usize>,
    /// Of each of these lists, the value must keep one that it can mean.
    pub(super) any: Vec<Vec<Branch>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Property {
    pub(super) node: usize,
    pub(super) is_required: bool,
}

/// One of several alternatives.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) look: Look,
    pub(super) node: usize,
}

/// The values that a value may equal.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    pub(super) canonical: Vec<String>,
    pub(super) expected: String,
}

/// Where a schema stands in that of a Rust enum, which tells whether its `enum` or `const` has the
/// names of variants. They are no bound: the type may accept more, by an alias or `other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// A variant that is not untagged.
    Variant,
    /// The first property of such a variant.
    Tag,
    Elsewhere,
}

struct Compiler<'a> {
    root: &'a Value,
    /// The other schemas with the names of variants.
    own: Vec<&'a Map<String, Value>>,
    nodes: Vec<Node>,
    /// The nodes of references, by their target.
    references: Places<'a>,
    /// Those that are still to be compiled. They can form chains as long as the schema is large.
    waiting: Vec<(usize, &'a Map<String, Value>)>,
}

impl Plan {
    /// The bounds of a schema in which types are written out; in `named` those that have a name are
    /// references. The node of the whole schema is the first. `None` if there are no bounds.
    pub(super) fn of(schema: &Value, named: &Value) -> Option<Self> {
        let (own, nodes) = (own_names(schema, named), Vec::new());
        let (references, waiting) = (Places::default(), Vec::new());
        let mut compiler = Compiler { root: schema, own, nodes, references, waiting };
        compiler.node(schema, At::Elsewhere);
        while let Some((index, schema)) = compiler.waiting.pop() {
            compiler.nodes[index] = compiler.compiled(schema, At::Elsewhere);
        }
        let mut plan = Self { nodes: compiler.nodes };
        plan.shorten();
        plan.mark();
        plan.nodes[0].matters.then_some(plan)
    }

    /// Where several schemas are for one text, the first one knows the least of their lengths: a
    /// text that is too long for one of them is matched against the pattern of none.
    fn shorten(&mut self) {
        let mut longest: Vec<_> = self.nodes.iter().map(|node| node.rules.longest()).collect();
        loop {
            let mut is_done = true;
            for (index, node) in self.nodes.iter().enumerate().rev() {
                let others = node.all.iter().filter_map(|other| longest[*other]);
                let least = others.chain(longest[index]).min();
                is_done &= least == longest[index];
                longest[index] = least;
            }
            if is_done {
                break;
            }
        }
        for (node, longest) in self.nodes.iter_mut().zip(longest) {
            if node.rules.has_pattern() || node.all.len() + node.any.len() > 1 {
                node.rules.set_longest(longest);
            }
        }
    }

    /// Marks the nodes that matter. Those of a recursive type depend on one another.
    fn mark(&mut self) {
        let mut marks = vec![false; self.nodes.len()];
        loop {
            let mut is_done = true;
            // Most nodes come before those to which they lead.
            for index in (0..self.nodes.len()).rev() {
                let node = &mut self.nodes[index];
                let has_field = node.fields.iter().any(|field| marks[field.node]);
                node.members_matter = has_field || node.has_member(&marks);
                node.items_matter = has_field || node.has_item(&marks);
                let matters = node.members_matter
                    || node.items_matter
                    || !node.rules.is_empty()
                    || node.choices.is_some()
                    || node.has_other(&marks);
                is_done &= matters == node.matters;
                node.matters = matters;
                marks[index] = matters;
            }
            if is_done {
                break;
            }
        }
    }
}

impl Node {
    /// What an item must keep.
    pub(super) fn item(&self, index: usize) -> Option<Property> {
        let is_struct = self.prefix.is_empty() && self.items.is_none();
        match self.fields.get(index) {
            Some(field) if is_struct => Some(*field),
            _ => {
                let node = self.prefix.get(index).copied().or(self.items)?;
                Some(Property { node, is_required: true })
            }
        }
    }

    /// True if there is a bound of the number of members, or if the schema of one that is no field
    /// is marked.
    fn has_member(&self, marks: &[bool]) -> bool {
        self.rules.has_members()
            || self.patterns.iter().any(|(_, node)| marks[*node])
            || self.additional.is_some_and(|node| marks[node])
    }

    /// The same of items.
    fn has_item(&self, marks: &[bool]) -> bool {
        self.rules.has_items()
            || self.items.is_some_and(|node| marks[node])
            || has_any(&self.prefix, marks)
    }

    /// True if another schema that the value must keep is marked.
    fn has_other(&self, marks: &[bool]) -> bool {
        let has_branch = |branches: &Vec<Branch>| branches.iter().any(|it| marks[it.node]);
        has_any(&self.all, marks) || self.any.iter().any(has_branch)
    }
}

impl<'a> Compiler<'a> {
    fn node(&mut self, schema: &'a Value, at: At) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node::default());
        if let Value::Object(schema) = schema {
            self.nodes[index] = self.compiled(schema, at);
        }
        index
    }

    fn reference(&mut self, target: &'a str) -> Option<usize> {
        if let Some(known) = self.references.get(target) {
            return Some(known);
        }
        let schema = keyword::pointed(self.root, target)?.as_object()?;
        let index = self.nodes.len();
        self.nodes.push(Node::default());
        self.references.set(target.into(), index);
        self.waiting.push((index, schema));
        Some(index)
    }

    fn compiled(&mut self, schema: &'a Map<String, Value>, at: At) -> Node {
        let mut node = Node { rules: Rules::of(schema), ..Node::default() };
        for (key, value) in schema {
            match (key.as_str(), value) {
                ("const" | "enum", _) if !self.is_own(schema, at) => node.choices = choices(schema),
                ("properties", Value::Object(properties)) => {
                    self.properties(properties, items(schema, "required"), at, &mut node);
                }
                ("patternProperties", Value::Object(properties)) => {
                    for (pattern, property) in properties {
                        if let Some(pattern) = Pattern::of(pattern) {
                            node.patterns.push((pattern, self.node(property, At::Elsewhere)));
                        }
                    }
                }
                ("additionalProperties", schema) => {
                    node.additional = Some(self.node(schema, At::Elsewhere));
                }
                ("items", schema) => node.items = Some(self.node(schema, At::Elsewhere)),
                ("prefixItems", Value::Array(items)) => node.prefix = self.nodes(items),
                ("allOf", Value::Array(schemas)) => node.all.extend(self.nodes(schemas)),
                ("$ref", Value::String(target)) => node.all.extend(self.reference(target)),
                ("oneOf", Value::Array(list)) => node.any.push(self.branches(list, true)),
                ("anyOf", Value::Array(list)) => node.any.push(self.branches(list, false)),
                _ => {}
            }
        }
        node
    }

    fn nodes(&mut self, schemas: &'a [Value]) -> Vec<usize> {
        let mut nodes = Vec::with_capacity(schemas.len());
        for schema in schemas {
            nodes.push(self.node(schema, At::Elsewhere));
        }
        nodes
    }

    fn properties(
        &mut self,
        properties: &'a Map<String, Value>,
        required: &[Value],
        at: At,
        node: &mut Node,
    ) {
        let required = names(required);
        for (position, (name, property)) in properties.iter().enumerate() {
            let is_tag = at == At::Variant && position == 0;
            let at = if is_tag { At::Tag } else { At::Elsewhere };
            let is_required = required.has(name);
            let property = Property { node: self.node(property, at), is_required };
            node.properties.set(name.clone().into(), node.fields.len());
            node.fields.push(property);
        }
    }

    fn branches(&mut self, branches: &'a [Value], is_one: bool) -> Vec<Branch> {
        // The generator gives a title to each untagged variant. An enum can have others beside it.
        let has_title = |branch: &Value| branch.get("title").is_some();
        let is_mixed = branches.iter().any(has_title);
        let mut nodes = Vec::with_capacity(branches.len());
        for branch in branches {
            let is_variant = is_one || (is_mixed && !has_title(branch));
            let at = if is_variant { At::Variant } else { At::Elsewhere };
            let look = Look::of(self.root, branch, is_variant);
            nodes.push(Branch { look, node: self.node(branch, at) });
        }
        nodes
    }

    fn is_own(&self, schema: &Map<String, Value>, at: At) -> bool {
        match at {
            At::Variant => true,
            At::Tag if schema.get("const").is_some_and(Value::is_string) => true,
            At::Tag | At::Elsewhere => self.own.iter().any(|own| std::ptr::eq(*own, schema)),
        }
    }
}

fn has_any(nodes: &[usize], marks: &[bool]) -> bool {
    nodes.iter().any(|node| marks[*node])
}

/// The values under `enum` and `const`.
fn choices(schema: &Map<String, Value>) -> Option<Choices> {
    let values = keyword::choices(schema)?;
    let expected = match schema.get("const") {
        Some(only) => only.to_string(),
        None => format!("one of {}", joined(&texts(values), ", ")),
    };
    Some(Choices { canonical: all_canonical(values), expected })
}
