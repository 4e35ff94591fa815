//! Arguments that the headers of an HTTP request repeat, so that balancers can route by them.

use serde_json::{Map, Value};

use super::normalise::{Place, placed_children};
use crate::mcp::words::{has_only, join};

/// The keyword of a property whose value a header repeats.
const KEYWORD: &str = "x-mcp-header";
const TYPES: [&str; 3] = ["string", "integer", "boolean"];

/// An argument that a header repeats.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// The name of the header in lower case.
    pub(crate) name: String,
    /// The keys that lead to the argument.
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP has headers"))]
    pub(crate) path: Vec<String>,
}

/// The headers that an input schema names. What is wrong with one, for which clients drop the tool,
/// is added to `defects`.
pub(crate) fn headers(schema: &Value, defects: &mut Vec<String>) -> Vec<Header> {
    let mut found = Vec::new();
    if let Value::Object(root) = schema {
        let mut search = Search { found: &mut found, defects, path: Vec::new() };
        search.below(root, true);
        if root.contains_key(KEYWORD) {
            search.unreachable(&root[KEYWORD]);
        }
    }
    found
}

struct Search<'a> {
    found: &'a mut Vec<Header>,
    defects: &'a mut Vec<String>,
    path: Vec<String>,
}

impl Search<'_> {
    /// Searches the schemas in a schema. Clients find an argument by the names of properties alone.
    fn below(&mut self, schema: &Map<String, Value>, is_reachable: bool) {
        placed_children(schema, &mut |keyword, place, child| {
            let Value::Object(child) = child else { return };
            let is_reachable = is_reachable && keyword == "properties";
            self.path.push(match place {
                Place::Named(name) if keyword == "properties" => name.to_owned(),
                Place::Named(name) => format!("{keyword}/{name}"),
                _ => keyword.to_owned(),
            });
            if let Some(header) = child.get(KEYWORD) {
                match is_reachable {
                    true => self.argument(child, header),
                    false => self.unreachable(header),
                }
            }
            self.below(child, is_reachable);
            self.path.pop();
        });
    }

    fn argument(&mut self, schema: &Map<String, Value>, header: &Value) {
        let argument = join(&self.path, "/");
        let Some(name) = header.as_str().filter(|name| is_token(name)) else {
            return self.defects.push(format!(
                "argument `{argument}`: the header {header} must be a token (RFC 9110, section \
                 5.6.2): one or more of A-Z, a-z, 0-9 and !#$%&'*+-.^_`|~"
            ));
        };
        let kind = schema.get("type").unwrap_or(&Value::Null);
        if !TYPES.iter().any(|known| kind == known) {
            return self.defects.push(format!(
                "argument `{argument}`: the header {header} is for a string, an integer or a \
                 boolean, and its type is {kind}"
            ));
        }
        let name = format!("mcp-param-{}", name.to_ascii_lowercase());
        if self.found.iter().any(|other| other.name == name) {
            return self.defects.push(format!(
                "argument `{argument}`: another one has the header {header}; upper and lower case \
                 make no difference"
            ));
        }
        self.found.push(Header { name, path: self.path.clone() });
    }

    fn unreachable(&mut self, header: &Value) {
        let place = join(&self.path, "/");
        self.defects.push(format!(
            "the header {header} at `/{place}` is for an argument that `properties` alone lead to"
        ));
    }
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && has_only(name, b"!#$%&'*+-.^_`|~")
}

#[cfg(test)]
mod tests;
