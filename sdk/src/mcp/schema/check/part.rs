//! What arguments consist of, as far as their problems are looked for.

use std::borrow::Cow;

use serde_json::Value;

use super::super::bounds::canonical;
use crate::mcp::places::Places;
use crate::scan::{self, Elements, Members};

/// The most parts of a value that are looked at. A part keeps a few words beside the text that it
/// borrows, so this also bounds the memory.
pub(crate) const MOST_PARTS: usize = 10_000;

/// How a check reads what a schema does not say exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As a type may: null is the absence of an optional property, as `Option` takes it; an integer
    /// may have 128 bits.
    Lenient,
    /// Null is a value like any other, and an integer has at most 64 bits.
    Strict,
    /// As JSON Schema says: null is a value like any other, and every whole number is an integer.
    Written,
}

/// Which unknown members may be aliases of those that seem to be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aliases {
    /// All that decoding took.
    Taken,
    /// Those of objects that refuse unknown members: the others may just have been ignored.
    OfClosed,
    /// None, as nothing was decoded.
    None,
}

/// A value in the text of the arguments.
#[derive(Debug)]
pub(crate) struct Part<'a> {
    /// Its text; to the end of all text if the value was cut.
    pub(super) text: &'a str,
    pub(super) kind: Kind<'a>,
    /// True if not all of its parts are here.
    pub(super) is_cut: bool,
    /// True if decoding took it, so that nothing is wrong with it and its parts are not here.
    pub(super) is_taken: bool,
    /// What the type said that refused it.
    pub(super) refused: Option<&'a str>,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Null,
    Boolean,
    Number,
    Text,
    /// The items after those that were taken.
    Array {
        taken: usize,
        items: Vec<Part<'a>>,
    },
    /// Of several members with one name only the last value.
    Object(Vec<(Cow<'a, str>, Part<'a>)>),
}

/// How far decoding came.
#[derive(Debug, Default)]
pub(crate) struct Decoded<'t> {
    /// The members of the whole value that were taken.
    pub(crate) taken: &'t [&'t str],
    /// The other ones.
    pub(crate) refused: Vec<Refused<'t>>,
}

/// A member that a type refused, or the whole value, without a name.
#[derive(Debug)]
pub(crate) struct Refused<'t> {
    pub(crate) name: &'t str,
    /// Which part of which part, the outermost first. The parts before it were taken.
    pub(crate) parts: &'t [usize],
    /// What the type said, if it did.
    pub(crate) message: Option<&'t str>,
}

struct Reader<'t> {
    left: usize,
    decoded: &'t Decoded<'t>,
}

/// The way to what was refused, from here.
#[derive(Clone, Copy, Default)]
struct Way<'t> {
    parts: &'t [usize],
    message: Option<&'t str>,
}

impl<'a> Part<'a> {
    /// The parts of a JSON value, but not what is inside of those that decoding took. Reading ends
    /// with the part that is one too many, so what follows it is not even scanned.
    pub(crate) fn of(text: &'a str, decoded: &'a Decoded<'a>) -> Option<Self> {
        let mut reader = Reader { left: MOST_PARTS, decoded };
        reader.part(text.trim_ascii_start(), 0, decoded.way(""))
    }

    /// True if there were more parts than these.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many parts there are, itself included.
    pub(crate) fn count(&self) -> usize {
        let below: usize = match &self.kind {
            Kind::Array { items, .. } => items.iter().map(Self::count).sum(),
            Kind::Object(members) => members.iter().map(|(_, member)| member.count()).sum(),
            _ => 0,
        };
        below + 1
    }

    /// How many members it has.
    pub(super) fn members(&self) -> usize {
        match &self.kind {
            Kind::Object(members) => members.len(),
            _ => 0,
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Kind::Object(members) = &self.kind else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, member)| member)
    }

    /// True if the type refused it or a part of it.
    pub(super) fn is_refused(&self) -> bool {
        let is_inside = match &self.kind {
            Kind::Object(members) => members.iter().any(|(_, member)| member.is_refused()),
            Kind::Array { items, .. } => items.iter().any(Self::is_refused),
            _ => false,
        };
        is_inside || self.refused.is_some()
    }

    /// True if the type refused something else than the tag of an object, which it has read as
    /// that of a variant then.
    pub(super) fn has_known_tag(&self, key: &str) -> bool {
        let Kind::Object(members) = &self.kind else { return false };
        let is_of_tag = |message: &str| message.starts_with("unknown variant");
        self.get(key).is_some_and(|tag| matches!(tag.kind, Kind::Text) && tag.refused.is_none())
            && (members.iter().any(|(name, member)| name != key && member.is_refused())
                || self.refused.is_some_and(|message| !is_of_tag(message)))
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    pub(super) fn equals(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (Kind::Null, Value::Null) => true,
            (Kind::Boolean, Value::Bool(value)) => self.text == value.to_string(),
            // An escape has six characters at most.
            (Kind::Text, Value::String(value)) => {
                self.text.len() <= 6 * value.len() + 2
                    && scan::string(self.text).is_some_and(|text| text == *value)
            }
            (Kind::Number, Value::Number(_))
            | (Kind::Array { .. }, Value::Array(_))
            | (Kind::Object(_), Value::Object(_)) => {
                !self.is_cut && canonical(self.text) == canonical(&value.to_string())
            }
            _ => false,
        }
    }
}

impl<'t> Decoded<'t> {
    fn way(&self, name: &str) -> Way<'t> {
        let refused = self.refused.iter().find(|refused| refused.name == name);
        refused
            .map(|Refused { parts, message, .. }| Way { parts, message: *message })
            .unwrap_or_default()
    }
}

impl<'a> Reader<'a> {
    /// The value at the start of the text.
    fn part(&mut self, text: &'a str, depth: usize, way: Way<'a>) -> Option<Part<'a>> {
        // As deep as serde_json reads.
        const DEEPEST: usize = 128;
        let is_nested = text.starts_with(['{', '[']) && depth <= DEEPEST;
        let refused = way.message.filter(|_| way.parts.is_empty());
        if !is_nested {
            let part = self.without_parts(text, false)?;
            return Some(Part { refused, ..part });
        }
        self.left = self.left.checked_sub(1)?;
        let (kind, end) = match text.starts_with('{') {
            true => self.object(text, depth, way)?,
            false => self.array(text, depth, way)?,
        };
        let is_cut = end.is_none();
        let text = text.get(..end.unwrap_or(text.len()))?;
        Some(Part { text, kind, is_cut, is_taken: false, refused })
    }

    /// The same without what is inside.
    fn without_parts(&mut self, text: &'a str, is_taken: bool) -> Option<Part<'a>> {
        self.left = self.left.checked_sub(1)?;
        let kind = match text.as_bytes().first()? {
            b'{' => Kind::Object(Vec::new()),
            b'[' => Kind::Array { taken: 0, items: Vec::new() },
            b'"' => Kind::Text,
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Boolean,
            _ => Kind::Number,
        };
        let is_cut = matches!(kind, Kind::Object(_) | Kind::Array { .. });
        Some(Part { text: scan::value(text)?, kind, is_cut, is_taken, refused: None })
    }

    /// The members, and the end if all were read.
    fn object(
        &mut self,
        text: &'a str,
        depth: usize,
        way: Way<'a>,
    ) -> Option<(Kind<'a>, Option<usize>)> {
        let mut members = Members::of(text).ok()?;
        let mut found: Vec<(Cow<'a, str>, Part<'a>)> = Vec::new();
        let mut places = Places::default();
        let mut at = 0;
        while let Some(key) = members.key().ok()? {
            // No property has such a name, so that its escapes do not matter.
            const LONG: usize = 1000;
            let key = if key.len() > LONG { key.into() } else { scan::unescape(key) };
            let decoded = self.decoded;
            let is_taken = match way.parts.first() {
                Some(refused) => at < *refused,
                None => depth == 0 && decoded.taken.iter().any(|name| *name == key),
            };
            let part = if is_taken {
                self.without_parts(members.rest(), true)
            } else {
                let way = match way.parts {
                    [refused, parts @ ..] if at == *refused => Way { parts, ..way },
                    [] if depth == 0 => decoded.way(&key),
                    _ => Way::default(),
                };
                self.part(members.rest(), depth + 1, way)
            };
            at += 1;
            let Some(part) = part else { return Some((Kind::Object(found), None)) };
            let (length, is_cut) = (part.text.len(), part.is_cut && self.left == 0);
            match places.get(&key) {
                Some(place) => found[place].1 = part,
                None => {
                    places.set(key.clone(), found.len());
                    found.push((key, part));
                }
            }
            if is_cut {
                return Some((Kind::Object(found), None));
            }
            members.advance(length);
        }
        Some((Kind::Object(found), Some(members.position())))
    }

    fn array(
        &mut self,
        text: &'a str,
        depth: usize,
        way: Way<'a>,
    ) -> Option<(Kind<'a>, Option<usize>)> {
        let mut elements = Elements::of(text).ok()?;
        let taken = way.parts.first().copied().unwrap_or(0);
        let (mut at, mut items) = (0, Vec::new());
        while elements.next().ok()? {
            let length = if at < taken {
                scan::value(elements.rest())?.len()
            } else {
                let inside = match way.parts {
                    [_, parts @ ..] if at == taken => Way { parts, ..way },
                    _ => Way::default(),
                };
                let Some(part) = self.part(elements.rest(), depth + 1, inside) else {
                    return Some((Kind::Array { taken, items }, None));
                };
                let (length, is_cut) = (part.text.len(), part.is_cut && self.left == 0);
                items.push(part);
                if is_cut {
                    return Some((Kind::Array { taken, items }, None));
                }
                length
            };
            elements.advance(length);
            at += 1;
        }
        Some((Kind::Array { taken, items }, Some(elements.position())))
    }
}
