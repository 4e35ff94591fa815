//! The modules of a package, and which module a path of one of them leads to.

use std::collections::BTreeMap;
use std::path::Path;

use super::source::{self, Module};

/// A module's names from the root of the package on; the root itself has none.
pub(super) type Place = Vec<String>;

/// All modules of a package.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) modules: BTreeMap<Place, Entry>,
    name: String,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) module: Module,
    /// The module of the file, which is another one if this one is in-line.
    pub(super) file: Place,
    /// The file's path below the root of the package.
    pub(super) path: String,
}

/// How far names are followed: a re-export can lead to another one, but not for ever.
const LONGEST_CHAIN: usize = 16;

impl Package {
    /// Reads the package that begins with `lib.rs`. `file` gives the text of a path.
    pub(super) fn read(name: &str, file: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut package = Self { name: name.into(), ..Self::default() };
        let text = file("lib.rs").expect("the package has a lib.rs");
        package.add(Vec::new(), "lib.rs".into(), &text, file);
        package
    }

    fn add(&mut self, at: Place, path: String, text: &str, file: &dyn Fn(&str) -> Option<String>) {
        let module = source::read(text);
        for child in &module.children {
            let child = [at.as_slice(), std::slice::from_ref(child)].concat();
            let stem = child.join("/");
            let [flat, folder] = [format!("{stem}.rs"), format!("{stem}/mod.rs")];
            let (path, text) = file(&flat)
                .map(|text| (flat, text))
                .or_else(|| file(&folder).map(|text| (folder, text)))
                .unwrap_or_else(|| panic!("{path}: there is no file for `mod {stem}`"));
            self.add(child, path, &text, file);
        }
        self.insert(at.clone(), module, &at, &path);
    }

    fn insert(&mut self, at: Place, mut module: Module, file: &Place, path: &str) {
        for (name, inline) in std::mem::take(&mut module.inline) {
            self.insert([at.as_slice(), &[name]].concat(), inline, file, path);
        }
        self.modules.insert(at, Entry { module, file: file.clone(), path: path.into() });
    }

    /// The module that defines what a path in `at` leads to, or that module if it is one; `None`
    /// for what comes from elsewhere.
    pub(super) fn resolve(&self, at: &Place, path: &[String]) -> Option<Place> {
        self.follow(at, path, LONGEST_CHAIN)
    }

    fn follow(&self, at: &Place, path: &[String], left: usize) -> Option<Place> {
        let left = left.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let parent = || at[..at.len().saturating_sub(1)].to_vec();
        match first.as_str() {
            "crate" => self.descend(Vec::new(), rest, left),
            name if name == self.name => self.descend(Vec::new(), rest, left),
            "self" => self.descend(at.clone(), rest, left),
            "super" => match rest.first().map(String::as_str) {
                Some("super") => self.follow(&parent(), rest, left),
                _ => self.descend(parent(), rest, left),
            },
            _ => self.descend_known(at, path, left).flatten(),
        }
    }

    /// Like `descend_known`, where the path begins in a module of this package for certain: a name
    /// that is not found there was made by a macro there.
    fn descend(&self, at: Place, path: &[String], left: usize) -> Option<Place> {
        self.descend_known(&at, path, left).unwrap_or(Some(at))
    }

    /// Where a path leads from the names of a module; `None` where the module does not know its
    /// first name, `Some(None)` where that is known to come from elsewhere.
    fn descend_known(&self, at: &Place, path: &[String], left: usize) -> Option<Option<Place>> {
        let Some(left) = left.checked_sub(1) else { return Some(None) };
        let Some((name, rest)) = path.split_first() else { return Some(Some(at.clone())) };
        let module = &self.modules.get(at)?.module;
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        if self.modules.contains_key(&child)
            && (!rest.is_empty() || module.imported(name).is_none())
        {
            return Some(self.descend(child, rest, left));
        }
        if module.items.contains(name) {
            return Some(Some(at.clone()));
        }
        if let Some(import) = module.imported(name) {
            // A macro that is given a path says its own name: `pub(crate) use name;`.
            if import.path == [name.clone()] {
                return Some(Some(at.clone()));
            }
            let path = [&import.path, rest].concat();
            return Some(self.follow(at, &path, left));
        }
        let globs = module.imports.iter().filter(|import| import.name.is_none());
        globs
            .filter_map(|glob| self.follow(at, &glob.path, left))
            .find_map(|place| self.descend_known(&place, path, left))
    }
}

/// Gives the files of a folder.
pub(super) fn files_of(folder: &Path) -> impl Fn(&str) -> Option<String> {
    move |path| std::fs::read_to_string(folder.join(path)).ok()
}
