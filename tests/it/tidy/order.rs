//! Of two modules side by side at most one uses the other, at every level.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::package::{Entry, Package, Place, files_of};
use super::root;
use super::source::Module;

/// The packages, and the folder of each.
const PACKAGES: [(&str, &str, &str); 4] = [
    ("sdk", "toolwright", "sdk/src"),
    ("macros", "toolwright_macros", "macros/src"),
    ("console", "toolwright_console", "console/src"),
    ("mcp-stdio", "toolwright_stdio", "mcp-stdio/src"),
];

/// The modules of `sdk/mcp`, each of which may use those before it.
const MCP: [&str; 31] = [
    "places",
    "words",
    "protocol",
    "cancel",
    "extensions",
    "link",
    "outbox",
    "names",
    "rounds",
    "tasks",
    "asked",
    "recorded",
    "context",
    "asking",
    "schema",
    "output",
    "args",
    "form",
    "call",
    "span",
    "callee",
    "tool",
    "completion",
    "prompt",
    "resource",
    "custom",
    "members",
    "registry",
    "ask",
    "lint",
    "session",
];

/// Arrows that still point the wrong way: the first uses the second. This list only gets shorter.
const KNOWN: &[(&str, &str)] = &[];

/// Who uses whom, and where: from one module to another one of the same folder, or to the folder's
/// own file, which is called `mod`.
#[derive(Debug, Default)]
pub(super) struct Arrows {
    found: BTreeMap<(String, String), Lines>,
}

/// The lines of each file.
type Lines = BTreeMap<String, BTreeSet<usize>>;

impl Arrows {
    /// Adds the arrows of a package, under the name that it has here.
    pub(super) fn read(&mut self, name: &str, package: &Package) {
        for (at, entry) in &package.modules {
            let Module { imports, paths, .. } = &entry.module;
            for import in imports {
                let target = package.resolve(at, &import.path);
                // A module that passes on what a module below it has does not use it.
                let is_use =
                    |target: &Place| !(import.is_public && target.starts_with(&entry.file));
                if let Some(target) = target.filter(is_use) {
                    self.add(name, entry, &package.modules[&target], import.line);
                }
            }
            // A single name can be a variable or a field, unless it was imported.
            let is_path =
                |path: &[String]| path.len() > 1 || entry.module.imported(&path[0]).is_some();
            for (path, line) in paths.iter().filter(|(path, _)| is_path(path)) {
                if let Some(target) = package.resolve(at, path) {
                    self.add(name, entry, &package.modules[&target], *line);
                }
            }
        }
    }

    fn add(&mut self, name: &str, from: &Entry, to: &Entry, line: usize) {
        if from.file == to.file {
            return;
        }
        let common = from.file.iter().zip(&to.file).take_while(|(from, to)| from == to).count();
        let node = |file: &Place| {
            let own = file.get(common).map_or("mod", String::as_str);
            let folder = file[..common].iter().map(String::as_str);
            [name].into_iter().chain(folder).chain([own]).collect::<Vec<_>>().join("/")
        };
        let lines = self.found.entry((node(&from.file), node(&to.file))).or_default();
        lines.entry(from.path.clone()).or_default().insert(line);
    }

    pub(super) fn has(&self, from: &str, to: &str) -> bool {
        self.found.contains_key(&(from.into(), to.into()))
    }

    fn without(mut self, known: &[(&str, &str)]) -> Self {
        self.found.retain(|(from, to), _| !known.contains(&(from, to)));
        self
    }

    /// The modules that one uses, directly or through others.
    fn reached<'a>(&'a self, from: &'a str) -> BTreeSet<&'a str> {
        let mut seen = BTreeSet::new();
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            let used = self.found.keys().filter(|(from, _)| from == node);
            open.extend(used.map(|(_, to)| to.as_str()).filter(|to| seen.insert(*to)));
        }
        seen
    }

    /// Each cycle: its arrows, one a line, and where they are.
    pub(super) fn cycles(&self) -> Vec<String> {
        let nodes: BTreeSet<_> = self.found.keys().map(|(from, _)| from.as_str()).collect();
        let reached: BTreeMap<_, _> =
            nodes.into_iter().map(|node| (node, self.reached(node))).collect();
        let leads = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
        let mut cycles = BTreeMap::new();
        for ((from, to), lines) in self.found.iter().filter(|((from, to), _)| leads(to, from)) {
            let cycle: Vec<_> =
                reached[from.as_str()].iter().filter(|node| leads(node, from)).collect();
            let arrows: &mut String = cycles.entry(cycle).or_default();
            let _ = writeln!(arrows, "  {from} -> {to}");
            for (file, lines) in lines {
                let _ = writeln!(arrows, "      {file}: {lines:?}");
            }
        }
        cycles.into_values().collect()
    }
}

fn arrows() -> Arrows {
    let mut arrows = Arrows::default();
    for (name, package, folder) in PACKAGES {
        arrows.read(name, &Package::read(package, &files_of(&root().join(folder))));
    }
    arrows
}

/// Whether an arrow between modules of `sdk/mcp` points to one that comes later.
fn is_against_the_list(from: &str, to: &str) -> bool {
    let rank = |node: &str| {
        let name =
            node.strip_prefix("sdk/mcp/").filter(|name| !name.contains('/') && *name != "mod")?;
        let rank = MCP.iter().position(|module| *module == name);
        Some(rank.unwrap_or_else(|| panic!("{node} has no place in the list `MCP`")))
    };
    matches!((rank(from), rank(to)), (Some(from), Some(to)) if from <= to)
}

#[test]
fn of_two_modules_at_most_one_uses_the_other() {
    let arrows = arrows();
    let count = arrows.found.len();
    assert!(count > 300, "only {count} arrows were found: the test has gone blind");
    let cycles = arrows.without(KNOWN).cycles();
    assert!(cycles.is_empty(), "{} cycles:\n{}", cycles.len(), cycles.join("\n"));
}

#[test]
fn the_modules_of_the_core_stand_in_one_order() {
    let mut arrows = arrows().without(KNOWN).found;
    arrows.retain(|(from, to), _| is_against_the_list(from, to));
    assert!(arrows.is_empty(), "against the order of `MCP`: {arrows:#?}");
}

#[test]
fn each_known_arrow_is_still_wrong() {
    let arrows = arrows();
    let is_wrong = |(from, to): &&(&str, &str)| {
        let is_cycle = || arrows.reached(to).contains(from);
        arrows.has(from, to) && (is_against_the_list(from, to) || is_cycle())
    };
    let right: Vec<_> = KNOWN.iter().filter(|arrow| !is_wrong(arrow)).collect();
    assert!(right.is_empty(), "in order now, take them out of `KNOWN`: {right:#?}");
}
