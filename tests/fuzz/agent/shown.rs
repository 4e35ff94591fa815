//! What a value shows of itself with `{:#?}`, by the paths of its parts.

use std::collections::BTreeMap;

/// The parts of a value. Where one has parts itself, the beginning of its own line stands for it.
#[derive(Debug, PartialEq)]
pub(super) struct Shown(BTreeMap<Path, String>);

/// Fields that are not read from a member: the text that a value came in, which differs wherever
/// anything does, and what belongs to the call.
const OWN: [&str; 4] = ["raw", "cancel", "withdrawn", "run"];

/// The field for several members of a question.
const KIND: &str = "kind";
/// An element of this cannot be read in part, as it would allow more: it is kept as it came.
const WHOLE: &str = "permission_suggestions/";

/// The names of fields, the keys of maps and the places in lists.
type Path = Vec<String>;

impl Shown {
    pub(super) fn of(text: &str) -> Self {
        let (mut parts, mut path) = (BTreeMap::new(), Path::new());
        // How many parts without a name there were, in each value that is open.
        let mut counts = vec![0];
        for line in text.lines().map(str::trim_start) {
            if matches!(line.trim_end_matches(','), "}" | ")" | "]") {
                path.pop();
                counts.pop();
                continue;
            }
            let (name, value) = match split(line) {
                Some((name, value)) => (name.to_owned(), value),
                None => {
                    let count = counts.last_mut().unwrap();
                    *count += 1;
                    ((*count - 1).to_string(), line)
                }
            };
            path.push(name);
            if !path.iter().any(|name| OWN.contains(&&**name)) {
                parts.insert(path.clone(), value.trim_end_matches(',').to_owned());
            }
            match value.ends_with(['{', '(', '[']) {
                true => counts.push(0),
                false => drop(path.pop()),
            }
        }
        Self(parts)
    }

    /// What is wrong with what was shown after a lie about one place, compared with this truth and
    /// with what was shown without the place, if anything was: nothing else may differ.
    pub(super) fn fault(&self, without: Option<&Self>, lie: &Self, place: &str) -> Option<String> {
        let own = self.region(lie)?;
        if let Some((_, inside)) = place.split_once(WHOLE)
            && let Some((element, _)) = inside.split_once('/')
        {
            let is_inside = own.len() > 2 && WHOLE.contains(&own[1]) && own[2] == element;
            return (!is_inside).then(|| format!("a lie about {place} changes {own:?}"));
        }
        let without = without?;
        let mut region = self.region(without);
        if let Some(region) = &mut region
            && place.rsplit('/').next().is_some_and(is_number)
            && region.last().is_some_and(|name| is_number(name))
        {
            // Without an element, or with one more, those behind it have other places.
            region.pop();
            if lie.count(region) < without.count(region) {
                return Some(format!("a lie about {place} costs others of {region:?}"));
            }
        }
        match region {
            Some(region) if !own.starts_with(&region) => {
                Some(format!("a lie about {place} changes {own:?}, not {region:?} alone"))
            }
            None => Some(format!("a lie about {place} changes {own:?}")),
            Some(region) => region
                .iter()
                .find(|name| !is_in(place, name))
                .map(|name| format!("without {place}, {region:?} is missing, and so {name}")),
        }
    }

    /// How many parts the part with this path has.
    fn count(&self, path: &Path) -> usize {
        let is_part = |part: &&Path| part.len() == path.len() + 1 && part.starts_with(path);
        self.0.keys().filter(is_part).count()
    }

    /// The path of the smallest part that has all that differs; `None` if nothing does.
    pub(super) fn region(&self, other: &Self) -> Option<Path> {
        let mut region: Option<Path> = None;
        for path in self.differing(other) {
            match &mut region {
                Some(region) => {
                    let common = region.iter().zip(path).take_while(|(a, b)| a == b).count();
                    region.truncate(common);
                }
                None => region = Some(path.clone()),
            }
        }
        region
    }

    fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a Path> {
        let missing = other.0.keys().filter(|path| !self.0.contains_key(*path));
        let changed = self.0.iter().filter(|(path, value)| other.0.get(*path) != Some(value));
        changed.map(|(path, _)| path).chain(missing)
    }
}

/// Whether a part is one that a place may be read as. The name of its field may be a shorter one.
fn is_in(place: &str, part: &str) -> bool {
    let plain = |name: &str| name.replace(['_', '"'], "").to_lowercase();
    let part = plain(part);
    let is_same = |name: &str| name.contains(&part) || part.contains(name);
    is_number(&part) || part == KIND || place.split('/').any(|name| is_same(&plain(name)))
}

fn is_number(name: &str) -> bool {
    name.parse::<usize>().is_ok()
}

/// The name of a part and its value.
fn split(line: &str) -> Option<(&str, &str)> {
    let end = match line.strip_prefix('"') {
        Some(rest) => {
            let mut escaped = false;
            let is_end = |byte: u8| {
                let is_end = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                is_end
            };
            rest.bytes().position(is_end)? + 2
        }
        None => line.find(|c: char| !c.is_alphanumeric() && c != '_')?,
    };
    Some((&line[..end], line[end..].strip_prefix(": ")?))
}

#[test]
fn what_differs_has_a_path() {
    #[derive(Debug, Clone)]
    #[allow(dead_code, reason = "they are shown")]
    struct Value {
        name: Option<&'static str>,
        list: Vec<BTreeMap<&'static str, u32>>,
        raw: u32,
    }
    let shown = |value: &Value| Shown::of(&format!("{value:#?}"));
    let value = Value { name: Some("a: {"), list: vec![[("x\": ", 1), ("y", 2)].into()], raw: 1 };
    let region = |other: &Value| shown(&value).region(&shown(other));
    assert_eq!(region(&Value { raw: 2, ..value.clone() }), None);
    let path = |path: &[&str]| Some(path.iter().map(|name| (*name).to_owned()).collect::<Path>());
    assert_eq!(region(&Value { name: None, ..value.clone() }), path(&["0", "name"]));
    assert_eq!(region(&Value { name: Some("b"), ..value.clone() }), path(&["0", "name", "0"]));
    let list = vec![[("x\": ", 1), ("y", 3)].into()];
    assert_eq!(
        region(&Value { list: list.clone(), ..value.clone() }),
        path(&["0", "list", "0", "\"y\""])
    );
    assert_eq!(region(&Value { list: Vec::new(), ..value.clone() }), path(&["0", "list"]));
    assert_eq!(region(&Value { name: None, list, ..value.clone() }), path(&["0"]));
}
