//! URI templates.

use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path};

use crate::mcp::places::Places;
use crate::mcp::protocol::encoded_uri;
use crate::mcp::words::has_only;

/// A URI, or a template of URIs: the part of RFC 6570 that can be matched. `{x}` stands for one or
/// more characters without `/`, `?` and `#`; `{+x}` for one or more of any; and `{?a,b}` at the end
/// for the members of a query, in any order, each of which may be absent.
#[derive(Debug, Clone)]
pub(crate) struct UriTemplate {
    parts: Vec<Part>,
    /// The variables of `{?a,b}`.
    query: Vec<Box<str>>,
}

#[derive(Debug, Clone)]
enum Part {
    Literal(Box<str>),
    /// `{x}`
    Segment(Box<str>),
    /// `{+x}`
    Rest(Box<str>),
}

/// The URIs of a resource. This is a trait for the servers without resources, which do not compile
/// what matches them.
pub(crate) trait Uris: fmt::Debug + Send + Sync {
    /// The names of the variables; a URI has none.
    fn variables(&self) -> Vec<&str>;

    /// The values of the variables, percent-decoded, if `uri` is one of these. Values that could
    /// lead out of a directory do not fit: `.` and `..` as a segment, absolute paths, `\`, NUL, and
    /// for `{x}` a `/`, however they are encoded.
    fn matched(&self, uri: &str) -> Option<Variables<'_>>;

    /// False if no URI gives a variable this value; true of an empty one, and of other names.
    fn may_be(&self, variable: &str, value: &str) -> bool;
}

/// The variables of a URI that fits a template, and their values.
pub(crate) type Variables<'t> = Vec<(&'t str, String)>;

/// No URI that is longer fits a template.
const LONGEST: usize = 8 * 1024;

impl UriTemplate {
    /// Reads a template, or says what is wrong with it.
    #[inline]
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
        if !scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            || !has_only(scheme, b"+-.")
        {
            return Err("it must begin with a scheme such as `notes:` (RFC 3986)".into());
        }
        let (mut parts, mut query) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once('{') {
            let (expression, after) = after.split_once('}').ok_or("a `{` of it has no `}`")?;
            if !query.is_empty() {
                return Err("`{?…}` must be at its end".into());
            }
            if !literal.is_empty() {
                parts.push(Part::literal(literal)?);
            } else if !matches!(parts.last(), None | Some(Part::Literal(_)))
                && !expression.starts_with('?')
            {
                return Err("between two of its variables must be other text".into());
            }
            match expression.split_at_checked(1) {
                Some(("+", name)) => parts.push(Part::Rest(variable(name)?)),
                Some(("?", names)) => {
                    query = names.split(',').map(variable).collect::<Result<_, _>>()?;
                }
                _ => parts.push(Part::Segment(variable(expression)?)),
            }
            rest = after;
        }
        if !rest.is_empty() {
            if !query.is_empty() {
                return Err("`{?…}` must be at its end".into());
            }
            parts.push(Part::literal(rest)?);
        }
        let has_query =
            |part: &Part| matches!(part, Part::Literal(text) if text.as_bytes().contains(&b'?'));
        if !query.is_empty() && parts.iter().any(has_query) {
            return Err("it has both a `?` and `{?…}`".into());
        }
        let template = Self { parts, query };
        let mut seen = Places::default();
        let twice = template.variables().into_iter().filter(|name| !seen.add((*name).into())).min();
        match twice {
            Some(name) => Err(format!("its variable `{name}` is there twice")),
            None => Ok(template),
        }
    }

    /// Where each part is in `path`; each variable takes as much as it can, the first one first.
    #[inline]
    fn ranges(&self, path: &str) -> Option<Vec<std::ops::Range<usize>>> {
        let bytes = path.as_bytes();
        // For each part, the places where it can begin; found forwards, then walked back.
        let mut begins = vec![vec![false; bytes.len() + 1]];
        begins[0][0] = true;
        for part in &self.parts {
            let from = begins.last()?;
            let mut ends = vec![false; bytes.len() + 1];
            match part {
                Part::Literal(literal) => {
                    for at in 0..=bytes.len() {
                        if from[at] && bytes[at..].starts_with(literal.as_bytes()) {
                            ends[at + literal.len()] = true;
                        }
                    }
                }
                Part::Segment(_) | Part::Rest(_) => {
                    let mut is_open = false;
                    for (at, byte) in bytes.iter().enumerate() {
                        is_open |= from[at];
                        is_open &= matches!(part, Part::Rest(_)) || !b"/?#".contains(byte);
                        // No part ends within `%20`, whose digits are no text of their own.
                        let is_escaped = bytes[at.saturating_sub(1)..=at].contains(&b'%');
                        ends[at + 1] = is_open && !is_escaped;
                    }
                }
            }
            begins.push(ends);
        }
        let mut end = bytes.len();
        if !begins.pop()?[end] {
            return None;
        }
        let mut ranges = Vec::new();
        for (part, begins) in self.parts.iter().zip(&begins).rev() {
            let is_begin = |at: usize| match part {
                Part::Literal(literal) => at + literal.len() == end && begins[at],
                Part::Rest(_) => begins[at],
                Part::Segment(_) => {
                    begins[at] && !bytes[at..end].iter().any(|byte| b"/?#".contains(byte))
                }
            };
            let least = usize::from(!matches!(part, Part::Literal(_)));
            let mut begin = end.checked_sub(least)?;
            while !is_begin(begin) {
                begin = begin.checked_sub(1)?;
            }
            ranges.push(begin..end);
            end = begin;
        }
        ranges.reverse();
        Some(ranges)
    }
}

impl Part {
    /// The text before, between or behind variables.
    #[inline]
    fn literal(text: &str) -> Result<Self, String> {
        match text.as_bytes().contains(&b'}') {
            true => Err("a `}` of it has no `{`".into()),
            false => Ok(Self::Literal(canonical(text).into())),
        }
    }
}

impl Uris for UriTemplate {
    #[inline]
    fn variables(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for part in &self.parts {
            if let Part::Segment(name) | Part::Rest(name) = part {
                names.push(&**name);
            }
        }
        for name in &self.query {
            names.push(name);
        }
        names
    }

    #[inline]
    fn matched(&self, uri: &str) -> Option<Variables<'_>> {
        if uri.len() > LONGEST {
            return None;
        }
        let uri = canonical(uri);
        let (path, query) = match uri.split_once('?') {
            Some((path, query)) if !self.query.is_empty() => (path, query),
            _ => (&*uri, ""),
        };
        // Most URIs belong to other templates.
        if let Some(Part::Literal(first)) = self.parts.first()
            && !path.starts_with(&**first)
        {
            return None;
        }
        let mut variables = Vec::new();
        for (part, range) in self.parts.iter().zip(self.ranges(path)?) {
            let raw = path.get(range)?;
            match part {
                Part::Literal(_) => {}
                Part::Segment(name) => {
                    let value = decoded(raw).filter(|value| !value.as_bytes().contains(&b'/'))?;
                    variables.push((&**name, value));
                }
                Part::Rest(name) => variables.push((&**name, decoded(raw)?)),
            }
        }
        for member in query.split('&') {
            let (name, raw) = member.split_once('=').unwrap_or((member, ""));
            let known = self.query.iter().find(|known| ***known == *name);
            if let Some(name) = known
                && !variables.iter().any(|(other, _)| *other == &**name)
            {
                variables.push((name, decoded(raw)?));
            }
        }
        Some(variables)
    }

    #[inline]
    fn may_be(&self, variable: &str, value: &str) -> bool {
        let is_segment = |part: &Part| matches!(part, Part::Segment(name) if **name == *variable);
        let is_whole = !value.contains('/') || !self.parts.iter().any(is_segment);
        let is_variable = self.variables().contains(&variable);
        !is_variable || (value.len() <= LONGEST && is_whole && !leads_out(value))
    }
}

/// The name of a variable, which is the name of a parameter.
#[inline]
fn variable(name: &str) -> Result<Box<str>, String> {
    match !name.is_empty() && has_only(name, b"_") {
        true => Ok(name.into()),
        false => {
            Err(format!("`{{{name}}}` is not one of `{{x}}`, `{{+x}}` and `{{?a,b}}` of RFC 6570"))
        }
    }
}

/// The encoded URI with the digits of its escapes as capitals. An escape that need not be, such as
/// `%7E`, stays one.
pub(crate) fn canonical(uri: &str) -> Cow<'_, str> {
    let encoded = encoded_uri(uri, false);
    if !encoded.as_bytes().contains(&b'%') {
        return encoded;
    }
    let mut pieces = encoded.split('%');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        // An encoded URI has two digits after each `%`.
        let (hex, rest) = piece.split_at_checked(2).unwrap_or((piece, ""));
        out.extend(["%", &hex.to_ascii_uppercase(), rest]);
    }
    out.into()
}

/// The value behind a canonical text, unless it could lead out of a directory.
#[inline]
fn decoded(raw: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if let (b'%', Some((hex, after))) = (byte, rest.split_at_checked(2)) {
            bytes.push(u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|value| !leads_out(value))
}

fn leads_out(value: &str) -> bool {
    // A path that is joined with an absolute one is that; on Windows also with one of a drive.
    let first = Path::new(value).components().next();
    matches!(first, Some(Component::RootDir | Component::Prefix(_)))
        || value.contains(['\\', '\0'])
        || value.split('/').any(|segment| segment == "." || segment == "..")
}

#[cfg(test)]
mod tests;
