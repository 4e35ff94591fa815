//! Checks the text of a value against a plan.

use std::collections::HashMap;

use super::super::open::same;
use super::super::problem::{MOST, Problem, clipped, step};
use super::equal::canonical;
use super::plan::{Branch, Node, Plan, Property};
use crate::mcp::places::Places;
use crate::scan::{self, Elements, Members};

/// A check of a value whose text is JSON, as a decoder has found already.
pub(super) struct Walk<'p> {
    plan: &'p Plan,
    pub(super) found: Vec<Problem>,
    /// How many parts contain what is checked.
    depth: usize,
    /// The schemas that lead to others for the same value, and its place, while these are checked:
    /// one that leads back to itself would not end.
    open: Vec<(usize, usize)>,
    /// Where in `kept` the problems of alternatives inside alternatives are, by the place in the
    /// text and by the list. Without it the time could double with each level.
    known: HashMap<(usize, usize), usize>,
    kept: Vec<Vec<Problem>>,
    alternatives: usize,
}

impl<'p> Walk<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            found: Vec::new(),
            depth: 0,
            open: Vec::new(),
            known: HashMap::new(),
            kept: Vec::new(),
            alternatives: 0,
        }
    }

    /// Checks the value at the start of the text, and returns its length. `None` ends the check.
    pub(super) fn value(&mut self, node: usize, text: &str) -> Option<usize> {
        // As deep as serde_json reads into types.
        const DEEPEST: usize = 128;
        // A schema by hand can combine thousands for one value, and the stack ends.
        const MOST_SAME: usize = 32;
        const MOST_OPEN: usize = 640;
        let (plan, index) = (self.plan, node);
        let node = &plan.nodes[index];
        let place = text.as_ptr() as usize;
        let (same, is_open) = same(&self.open, place, index);
        let is_deep = self.depth > DEEPEST || same > MOST_SAME || self.open.len() > MOST_OPEN;
        if !node.matters || is_deep || is_open {
            return skipped(text);
        }
        self.open.push((place, index));
        let found = &mut self.found;
        let mut wrong = |text| found.push(Problem::new(text));
        let mut is_too_long = false;
        let mut length = match text.as_bytes().first()? {
            b'{' if node.members_matter => Some(self.object(index, text)?),
            b'[' if node.items_matter => Some(self.array(node, text)?),
            b'"' if node.rules.has_texts() => {
                let raw = scan::value(text)?;
                if let Some(text) = scan::string(raw) {
                    is_too_long = node.rules.text(&text, &mut wrong);
                }
                Some(raw.len())
            }
            b'-' | b'0'..=b'9' => {
                let raw = scan::value(text)?;
                node.rules.number(raw, &mut wrong);
                Some(raw.len())
            }
            _ => None,
        };
        // The end of the value is known from its parts wherever these were walked, so that a value
        // inside of others is not skipped once for each of them.
        if !is_too_long {
            for other in &node.all {
                length = Some(self.value(*other, text)?);
            }
            for branches in &node.any {
                length = self.any(branches, text)?.or(length);
            }
        }
        let length = length.or_else(|| skipped(text))?;
        let value = text.get(..length)?;
        if let Some(choices) = &node.choices
            && canonical(value).is_some_and(|value| !choices.canonical.contains(&value))
        {
            let text = format!("expected {}, got {}", choices.expected, clipped(value, 60));
            self.found.push(Problem::new(text));
        }
        self.open.pop();
        (self.found.len() <= MOST).then_some(length)
    }

    /// Checks the value of a property.
    pub(super) fn property(&mut self, node: usize, name: &str, text: &str) -> Option<usize> {
        let node = &self.plan.nodes[node];
        let property = node.properties.get(name).map(|at| node.fields[at]).or_else(|| {
            let pattern = node.patterns.iter().find(|(pattern, _)| pattern.is_match(name));
            let node = pattern.map(|(_, node)| *node).or(node.additional)?;
            Some(Property { node, is_required: true })
        });
        match property {
            Some(property) => self.part(property, text, &|| step(name)),
            None => skipped(text),
        }
    }

    /// Checks a part of a value; null may stand for the absence of an optional one.
    fn part(&mut self, part: Property, text: &str, step: &dyn Fn() -> String) -> Option<usize> {
        let is_absent = !part.is_required && text.starts_with("null");
        if is_absent || !self.plan.nodes[part.node].matters {
            return skipped(text);
        }
        let before = self.found.len();
        self.depth += 1;
        let length = self.value(part.node, text);
        self.depth -= 1;
        if let Some(found) = self.found.get_mut(before..).filter(|found| !found.is_empty()) {
            let step = step();
            found.iter_mut().for_each(|problem| problem.pointer.insert_str(0, &step));
        }
        length
    }

    fn object(&mut self, node: usize, text: &str) -> Option<usize> {
        let rules = &self.plan.nodes[node].rules;
        let mut members = Members::of(text).ok()?;
        let mut names = Places::default();
        while let Some(key) = members.key().ok()? {
            let name = scan::unescape(key);
            let length = self.property(node, &name, members.rest())?;
            members.advance(length);
            if rules.has_members() {
                names.add(name);
            }
        }
        let found = &mut self.found;
        rules.members(names.len(), &mut |text| found.push(Problem::new(text)));
        Some(members.position())
    }

    fn array(&mut self, node: &Node, text: &str) -> Option<usize> {
        let mut elements = Elements::of(text).ok()?;
        let (mut count, mut seen) = (0, Places::default());
        while elements.next().ok()? {
            let item = elements.rest();
            let length = match node.item(count) {
                Some(part) => self.part(part, item, &|| format!("/{count}"))?,
                None => skipped(item)?,
            };
            if node.rules.are_items_unique
                && let Some(value) = canonical(item.get(..length)?)
                && let Some(first) = seen.set(value.into(), count)
            {
                let text = format!("expected another value than that of item {first}");
                self.found.push(Problem { pointer: format!("/{count}"), text });
            }
            elements.advance(length);
            count += 1;
        }
        let found = &mut self.found;
        node.rules.items(count, &mut |text| found.push(Problem::new(text)));
        Some(elements.position())
    }

    /// Of the alternatives that the value can mean it must keep one. If it seems to mean none, the
    /// type has other names for them than the schema says, and so the value is not checked.
    ///
    /// Returns the length of the value if it was walked; `None` ends the check.
    fn any(&mut self, branches: &'p [Branch], text: &str) -> Option<Option<usize>> {
        let mut meant = Vec::new();
        for branch in branches {
            if branch.look.may_be(text) {
                meant.push(branch);
            }
        }
        if meant.len() > 1 {
            meant.retain(|branch| branch.look.has_required(text));
        }
        let matters = |branch: &&Branch| self.plan.nodes[branch.node].matters;
        if meant.is_empty() || !meant.iter().all(matters) {
            return Some(None);
        }
        if let [only] = meant.as_slice() {
            return self.value(only.node, text).map(Some);
        }
        let place = (text.as_ptr() as usize, branches.as_ptr() as usize);
        if let Some(known) = self.known.get(&place) {
            self.found.extend_from_slice(&self.kept[*known]);
            return Some(None);
        }
        let mut nearest: Option<Vec<Problem>> = None;
        self.alternatives += 1;
        for branch in meant {
            let (outer, open) = (std::mem::take(&mut self.found), self.open.len());
            let _ = self.value(branch.node, text);
            self.open.truncate(open);
            let found = std::mem::replace(&mut self.found, outer);
            if nearest.as_ref().is_none_or(|nearest| found.len() < nearest.len()) {
                nearest = Some(found);
            }
            if nearest.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        self.alternatives -= 1;
        let nearest = nearest.unwrap_or_default();
        if self.alternatives > 0 {
            self.known.insert(place, self.kept.len());
            self.kept.push(nearest.clone());
        }
        self.found.extend(nearest);
        Some(None)
    }
}

/// The length of the value at the start of a text.
fn skipped(text: &str) -> Option<usize> {
    scan::value(text).map(str::len)
}

#[cfg(test)]
mod tests;
